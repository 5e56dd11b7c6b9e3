import GraphJSON

/// Turns an introspection result into definitions (section 4).
///
/// Members that older services leave out count as false; errors are reported at their position in
/// the JSON text and left out.
struct IntrospectionReader {
  let source: UInt32
  var diagnostics: DiagnosticCollector
  /// The types and references of kinds that this edition does not know.
  var unknownKinds = UnknownKinds()

  /// The definitions under the root of the response.
  mutating func definitions(in root: IntrospectionNode) -> [Document.Definition] {
    guard let schema = schemaNode(in: root) else { return [] }
    guard let types = schema["types"]?.array, !types.isEmpty else {
      report("The introspection result has no types.", at: schema["types"] ?? schema)
      return []
    }
    var definitions: [Document.Definition] = [.schema(schemaDefinition(schema))]
    for directive in elements(of: schema, "directives") {
      guard let definition = directiveDefinition(directive) else { continue }
      definitions.append(.directive(definition))
    }
    for type in types {
      if let type = namedType(type) { definitions.append(.type(type)) }
    }
    return leavingOutUnknownKinds(definitions)
  }

  /// `data.__schema` or `__schema`; if there is neither, reports what kind of JSON it is.
  private mutating func schemaNode(in root: IntrospectionNode) -> IntrospectionNode? {
    guard root.kind == .object else {
      report("An introspection result is a JSON object.", at: root)
      return nil
    }
    if let schema = root["data"]?["__schema"] ?? root["__schema"] {
      if schema.kind == .object { return schema }
      report("\"__schema\" must be an object.", at: schema)
      return nil
    }
    if let error = root["errors"]?.array?.first {
      let message = error["message"]?.string ?? error.string ?? "no message"
      report(
        "The service responded to the introspection query with an error: \(quoted(message)).",
        at: error)
    } else if let message = root["message"] ?? root["error"], let text = message.string {
      report("This is not an introspection result but a message: \(quoted(text)).", at: message)
    } else {
      report(
        "This JSON is not an introspection result: it has no \"__schema\".",
        at: root["data"] ?? root,
        suggestion: "Save the response to an introspection query, with or without its \"data\".")
    }
    return nil
  }

  private mutating func schemaDefinition(_ node: IntrospectionNode) -> SchemaDefinition {
    var roots: [RootOperationTypeDefinition] = []
    for operationType in OperationType.allCases {
      guard let root = node[operationType.introspectionKey], !root.isNull else { continue }
      guard let name = name(of: root, "root type") else { continue }
      let range = range(of: root["name"] ?? root)
      roots.append(
        RootOperationTypeDefinition(
          operationType: operationType, type: TypeName(name, range: range), range: range))
    }
    return SchemaDefinition(
      description: text(node, "description"), operationTypes: roots, range: range(of: node))
  }
}

extension OperationType {
  /// The field of `__Schema` with the root type (section 4.2.1).
  fileprivate var introspectionKey: StaticString {
    switch self {
    case .query: "queryType"
    case .mutation: "mutationType"
    case .subscription: "subscriptionType"
    }
  }
}

extension Document {
  /// The definitions of an introspection result; errors are reported and left out.
  init(introspection source: Source, index: UInt32, _ diagnostics: inout DiagnosticCollector) {
    let hasMark = source.bytes.starts(with: [0xEF, 0xBB, 0xBF])
    do throws(JSONError) {
      let json =
        try hasMark
        ? JSONDocument(parsing: source.bytesOfJSON)
        : JSONDocument(padded: source.terminatedBytes)
      var reader = IntrospectionReader(source: index, diagnostics: diagnostics)
      let definitions = IntrospectionNode.withRoot(of: json) { reader.definitions(in: $0) }
      self.init(definitions: definitions, source: source)
      diagnostics = reader.diagnostics
    } catch {
      let offset = error.offset
      let isCut = error.code == .unexpectedEnd
      diagnostics.add(
        SyntaxError(
          message: "Invalid JSON: \(error.message).", start: offset, end: offset + 1,
          suggestion: isCut ? "The file seems to be cut off: fetch the schema again." : nil),
        source: index)
      self.init(definitions: [], source: source)
    }
  }
}

extension IntrospectionReader {
  /// A named type (section 4.2.2); nil for built-in scalars and introspection's own types.
  mutating func namedType(_ node: IntrospectionNode) -> NamedType? {
    guard let name = name(of: node, "type") else { return nil }
    if BuiltIn.isIntrospection(name) { return nil }
    guard let kind = knownKind(node) else {
      if !BuiltIn.isScalar(name) { unknownKinds.types.insert(name) }
      return nil
    }
    if kind == .scalar, BuiltIn.isScalar(name) { return nil }
    let description = text(node, "description")
    let nameRange = range(of: node["name"] ?? node)
    let range = range(of: node)
    switch kind {
    case .scalar:
      return .scalar(
        ScalarType(
          description: description, name: name, directives: specification(node),
          nameRange: nameRange, range: range))
    case .object:
      return .object(
        ObjectType(
          description: description, name: name, interfaces: typeNames(node, "interfaces"),
          fields: fields(node, name), nameRange: nameRange, range: range))
    case .interface:
      return .interface(
        InterfaceType(
          description: description, name: name, interfaces: typeNames(node, "interfaces"),
          fields: fields(node, name), nameRange: nameRange, range: range))
    case .union:
      return .union(
        UnionType(
          description: description, name: name, members: typeNames(node, "possibleTypes"),
          nameRange: nameRange, range: range))
    case .enum:
      return .enum(
        EnumType(
          description: description, name: name, values: enumValues(node), nameRange: nameRange,
          range: range))
    case .inputObject:
      return .inputObject(
        InputObjectType(
          description: description, name: name,
          fields: inputValues(node, "inputFields", "input field") { "\(name).\($0)" },
          directives: oneOf(node), nameRange: nameRange, range: range))
    }
  }

  /// `specifiedByURL`, or `specifiedByUrl` as drafts of the edition of 2021 spelt it.
  private mutating func specification(_ node: IntrospectionNode) -> [Document.Directive] {
    for key: StaticString in ["specifiedByURL", "specifiedByUrl"] {
      guard let url = text(node, key), let place = node[key] else { continue }
      return [directive("specifiedBy", "url", url, range(of: place))]
    }
    return []
  }

  private func oneOf(_ node: IntrospectionNode) -> [Document.Directive] {
    guard let flag = node["isOneOf"], flag.bool == true else { return [] }
    return [Document.Directive(name: "oneOf", nameRange: range(of: flag), range: range(of: flag))]
  }

  private mutating func typeNames(_ node: IntrospectionNode, _ key: StaticString) -> NamedList<
    TypeName
  > {
    var names: [TypeName] = []
    for reference in elements(of: node, key) {
      guard let name = name(of: reference, "type reference") else { continue }
      let range = range(of: reference["name"] ?? reference)
      if let kind = reference["kind"], kind.kind == .string, TypeKind(kind) == nil {
        unknownKinds.references.insert(range.start)
      }
      names.append(TypeName(name, range: range))
    }
    return NamedList(names)
  }

  private mutating func fields(_ node: IntrospectionNode, _ owner: String) -> NamedList<
    FieldDefinition
  > {
    var fields: [FieldDefinition] = []
    let elements = elements(of: node, "fields")
    fields.reserveCapacity(elements.count)
    for field in elements {
      guard let name = name(of: field, "field") else { continue }
      guard let (type, typeRange) = typeReference(field, "\(owner).\(name)") else { continue }
      fields.append(
        FieldDefinition(
          description: text(field, "description"), name: name,
          arguments: inputValues(field, "args", "argument") { "\(owner).\(name)(\($0):)" },
          type: type,
          directives: deprecation(field), nameRange: range(of: field["name"] ?? field),
          typeRange: typeRange, range: range(of: field)))
    }
    return NamedList(fields)
  }

  private mutating func inputValues(
    _ node: IntrospectionNode, _ key: StaticString, _ what: String, _ coordinate: (String) -> String
  ) -> NamedList<InputValueDefinition> {
    var values: [InputValueDefinition] = []
    let elements = elements(of: node, key)
    values.reserveCapacity(elements.count)
    for value in elements {
      guard let name = name(of: value, what),
        let (type, typeRange) = typeReference(value, coordinate(name))
      else { continue }
      values.append(
        InputValueDefinition(
          description: text(value, "description"), name: name, type: type,
          defaultValue: defaultValue(value, of: type, coordinate(name)),
          directives: deprecation(value),
          nameRange: range(of: value["name"] ?? value), typeRange: typeRange,
          range: range(of: value)))
    }
    return NamedList(values)
  }

  private mutating func enumValues(_ node: IntrospectionNode) -> NamedList<EnumValueDefinition> {
    var values: [EnumValueDefinition] = []
    let elements = elements(of: node, "enumValues")
    values.reserveCapacity(elements.count)
    for value in elements {
      guard let name = name(of: value, "enum value") else { continue }
      values.append(
        EnumValueDefinition(
          description: text(value, "description"), name: name, directives: deprecation(value),
          nameRange: range(of: value["name"] ?? value), range: range(of: value)))
    }
    return NamedList(values)
  }

  /// A directive (section 4.2.6).
  mutating func directiveDefinition(_ node: IntrospectionNode) -> DirectiveDefinition? {
    guard let name = name(of: node, "directive") else { return nil }
    return DirectiveDefinition(
      description: text(node, "description"), name: name,
      arguments: inputValues(node, "args", "argument") { "@\(name)(\($0):)" },
      isRepeatable: node["isRepeatable"]?.bool ?? false, locations: locations(node),
      nameRange: range(of: node["name"] ?? node), range: range(of: node))
  }

  /// The locations; unknown ones of later editions are skipped. Services of 2015 and 2016 have
  /// three flags instead.
  private mutating func locations(_ node: IntrospectionNode) -> [DirectiveLocation] {
    if node["locations"] != nil {
      return elements(of: node, "locations").compactMap {
        $0.string.flatMap(DirectiveLocation.init)
      }
    }
    var locations: [DirectiveLocation] = []
    if node["onOperation"]?.bool == true { locations += [.query, .mutation, .subscription] }
    if node["onField"]?.bool == true { locations.append(.field) }
    if node["onFragment"]?.bool == true {
      locations += [.fragmentDefinition, .fragmentSpread, .inlineFragment]
    }
    return locations
  }
}

/// A value of an introspection result, or a position in one.
///
/// Like `JSONNode`, but without reference counting: a large schema has tens of thousands of nodes.
/// The user keeps the document alive.
// Safe: `withRoot` keeps the document alive while there are nodes; indexes come from its tape.
@safe struct IntrospectionNode {
  private let tape: JSONTape
  private let index: Int

  private init(tape: JSONTape, index: Int) {
    unsafe self.tape = tape
    self.index = index
  }

  /// Calls `read` with the root of a document.
  static func withRoot<Result>(
    of document: JSONDocument, _ read: (IntrospectionNode) -> Result
  ) -> Result {
    withExtendedLifetime(document) {
      unsafe read(IntrospectionNode(tape: document.memory, index: JSONDocument.rootIndex))
    }
  }

  var kind: JSONKind { unsafe tape.kind(at: index) }
  var isNull: Bool { kind == .null }
  var bool: Bool? { unsafe tape.bool(at: index) }
  var string: String? { unsafe tape.string(at: index) }
  var sourceRange: Range<Int> { unsafe tape.sourceRange(at: index) }

  /// Whether the value is this string.
  func isString(_ text: StaticString) -> Bool { unsafe tape.isString(text, at: index) }

  /// The member of an object, the last one of duplicates.
  subscript(key: StaticString) -> IntrospectionNode? {
    guard kind == .object else { return nil }
    return unsafe tape.lastMember(key, of: index).map {
      unsafe IntrospectionNode(tape: tape, index: $0)
    }
  }

  /// The elements if the value is an array.
  var array: [IntrospectionNode]? {
    guard kind == .array else { return nil }
    var elements: [IntrospectionNode] = []
    unsafe elements.reserveCapacity(tape.count(at: index))
    var child = unsafe tape.firstChild(of: index)
    let end = unsafe tape.end(of: index)
    while child < end {
      unsafe elements.append(IntrospectionNode(tape: tape, index: child))
      child = unsafe tape.next(after: child)
    }
    return elements
  }
}
