#if !ONE_MODULE
  import GraphJSON
#endif

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

extension IntrospectionReader {
  func range(of node: IntrospectionNode) -> SourceRange {
    let range = node.sourceRange
    return SourceRange(
      source: source, start: UInt32(truncatingIfNeeded: range.lowerBound),
      end: UInt32(truncatingIfNeeded: range.upperBound))
  }

  mutating func report(
    _ message: String, at node: IntrospectionNode, code: String = "introspection",
    suggestion: String? = nil
  ) {
    diagnostics.add(code, message, at: range(of: node), suggestion: suggestion)
  }

  /// The `name` of a node; reported if it has none.
  mutating func name(of node: IntrospectionNode, _ what: String) -> String? {
    if let name = node["name"]?.string { return name }
    report("This \(what) has no name.", at: node["name"] ?? node)
    return nil
  }

  /// A text that may be null or missing.
  mutating func text(_ node: IntrospectionNode, _ key: StaticString) -> String? {
    guard let value = node[key], !value.isNull else { return nil }
    if let text = value.string { return text }
    report("\(quoted("\(key)")) must be a string or null.", at: value, code: "UnreadableText")
    return nil
  }

  /// A list that may be null or missing.
  mutating func elements(of node: IntrospectionNode, _ key: StaticString) -> [IntrospectionNode] {
    guard let value = node[key], !value.isNull else { return [] }
    if let elements = value.array { return elements }
    report("\(quoted("\(key)")) must be a list or null.", at: value)
    return []
  }

  /// Section 4.2.1; the wrappers are handled in a loop, not recursively.
  mutating func typeReference(
    _ owner: IntrospectionNode, _ coordinate: @autoclosure () -> String
  ) -> (TypeReference, SourceRange)? {
    guard let outermost = owner["type"] else {
      report("\(quoted(coordinate())) has no type.", at: owner)
      return nil
    }
    var wrappers: [Wrapper] = []
    var node = outermost
    while let kind = node["kind"], let wrapper = Wrapper(kind) {
      if wrapper == .nonNull, wrappers.last == .nonNull {
        report("A non-null type cannot wrap another non-null type.", at: node)
        return nil
      }
      wrappers.append(wrapper)
      guard wrappers.count <= Document.defaultMaximumDepth else {
        report("The type of \(quoted(coordinate())) is nested too deeply.", at: outermost)
        return nil
      }
      guard let inner = node["ofType"], !inner.isNull else {
        report(
          "The type of \(quoted(coordinate())) is cut off: this \(wrapper.rawValue) has no \"ofType\".",
          at: node, code: ServiceSchema.cutOffTypeCode,
          suggestion:
            "Fetch the schema with an introspection query that selects more levels of \"ofType\".")
        return nil
      }
      node = inner
    }
    guard let name = typeName(node) else { return nil }
    var type = TypeReference.named(name)
    for wrapper in wrappers.reversed() { type = wrapper == .list ? .list(type) : .nonNull(type) }
    return (type, range(of: node["name"] ?? node))
  }

  /// The name in a reference to a named type. A kind that this edition does not know may have none; its
  /// uses are left out later.
  private mutating func typeName(_ node: IntrospectionNode) -> String? {
    guard let kind = kind(of: node) else { return nil }
    if TypeKind(kind) != nil { return name(of: node, "type reference") }
    unknownKinds.references.insert(range(of: node["name"] ?? node).start)
    return node["name"]?.string ?? ""
  }

  /// The `kind` of a node; reported if it has none.
  private mutating func kind(of node: IntrospectionNode) -> IntrospectionNode? {
    if let kind = node["kind"], kind.kind == .string { return kind }
    report("This type has no kind.", at: node["kind"] ?? node)
    return nil
  }

  /// The kind of a named type; an unknown kind is reported (section 4.2.2).
  mutating func knownKind(_ node: IntrospectionNode) -> TypeKind? {
    guard let kindNode = kind(of: node) else { return nil }
    if let kind = TypeKind(kindNode) { return kind }
    let kind = kindNode.string ?? ""
    report(
      "Unknown kind of type \(quoted(kind)).", at: kindNode, code: "UnknownKind",
      suggestion: didYouMean(kind, among: TypeKind.allCases.map(\.rawValue)))
    return nil
  }

  /// A default value, which arrives as GraphQL text (section 4.2.4). If the text is not a value, the
  /// text itself counts as one for a non-null type, which would be required without.
  mutating func defaultValue(
    _ node: IntrospectionNode, of type: TypeReference, _ coordinate: @autoclosure () -> String
  ) -> Document.Value? {
    guard let text = text(node, "defaultValue"), let place = node["defaultValue"] else {
      return nil
    }
    do throws(Diagnostics) {
      let value = try Document.Value(parsing: Source(name: "default value", text: text))
      return value.relocated(to: range(of: place))
    } catch {
      let reason = error.elements.first?.message ?? ""
      report(
        "The default value of \(quoted(coordinate())) is not a GraphQL value: \(reason)", at: place,
        code: "UnreadableDefaultValue")
      return type.isNonNull ? Document.Value(.string(text), range: range(of: place)) : nil
    }
  }

  /// `@deprecated` in introspection's form (section 4.2.3).
  mutating func deprecation(_ node: IntrospectionNode) -> [Document.Directive] {
    let reason = text(node, "deprecationReason")
    // Services without deprecated arguments leave both out; some only have the reason.
    guard node["isDeprecated"]?.bool ?? (reason != nil) else { return [] }
    let place = range(of: node["deprecationReason"] ?? node["isDeprecated"] ?? node)
    guard let reason, reason != defaultDeprecationReason else {
      return [Document.Directive(name: "deprecated", nameRange: place, range: place)]
    }
    return [directive("deprecated", "reason", reason, place)]
  }

  func directive(_ name: String, _ argument: String, _ text: String, _ place: SourceRange)
    -> Document.Directive
  {
    let value = Document.Value(.string(text), range: place)
    return Document.Directive(
      name: name,
      arguments: [Document.Argument(name: argument, value: value, nameRange: place, range: place)],
      nameRange: place, range: place)
  }
}

extension IntrospectionReader {
  /// A kind of type that has no name of its own (section 4.2.2).
  fileprivate enum Wrapper: String {
    case list = "LIST"
    case nonNull = "NON_NULL"

    /// nil for all other kinds.
    init?(_ kind: IntrospectionNode) {
      if kind.isString("NON_NULL") {
        self = .nonNull
      } else if kind.isString("LIST") {
        self = .list
      } else {
        return nil
      }
    }
  }
}

extension TypeKind {
  /// nil for a kind that is not one of named types. Compares bytes: a raw value would create a
  /// string first.
  init?(_ kind: IntrospectionNode) {
    if kind.isString("SCALAR") {
      self = .scalar
    } else if kind.isString("OBJECT") {
      self = .object
    } else if kind.isString("ENUM") {
      self = .enum
    } else if kind.isString("INTERFACE") {
      self = .interface
    } else if kind.isString("INPUT_OBJECT") {
      self = .inputObject
    } else if kind.isString("UNION") {
      self = .union
    } else {
      return nil
    }
  }
}

extension Document.Value {
  /// The value with all of its parts at one position. Limited by its depth.
  fileprivate func relocated(to range: SourceRange) -> Document.Value {
    switch kind {
    case .list(let items):
      return Document.Value(.list(items.map { $0.relocated(to: range) }), range: range)
    case .object(let fields):
      let fields = fields.map {
        Document.ObjectField(
          name: $0.name, value: $0.value.relocated(to: range), nameRange: range, range: range)
      }
      return Document.Value(.object(fields), range: range)
    default: return Document.Value(kind, range: range)
    }
  }
}

/// The types and references whose kind this edition does not know (section 4.2.2).
struct UnknownKinds {
  /// The names of such types in the list of types.
  var types: Set<String> = []
  /// The positions of such references. A reference may contradict the list of types, or have no name.
  var references: Set<UInt32> = []
  /// Input objects with a required field whose type cannot be used.
  fileprivate var inputs: Set<String> = []

  fileprivate var isEmpty: Bool { types.isEmpty && references.isEmpty }

  fileprivate func contains(_ name: String, at range: SourceRange) -> Bool {
    references.contains(range.start) || types.contains(name)
  }
}

extension IntrospectionReader {
  /// Leaves out all uses of types of unknown kinds. Where such a type is required, a value can never
  /// be given, so a field or directive with such an argument is left out, and so is an input object
  /// with such a field, with its own uses.
  mutating func leavingOutUnknownKinds(
    _ definitions: [Document.Definition]
  ) -> [Document.Definition] {
    if unknownKinds.isEmpty { return definitions }
    findInputs(in: definitions)
    return definitions.compactMap { definition in
      switch definition {
      case .type(let type): usable(type).map { .type($0) }
      case .directive(let directive): usable(directive).map { .directive($0) }
      default: definition
      }
    }
  }

  /// Finds the input objects that require a type of an unknown kind, directly or through others.
  private mutating func findInputs(in definitions: [Document.Definition]) {
    typealias Use = (input: InputObjectType, field: InputValueDefinition)
    var pending: [Use] = []
    var uses: [String: [Use]] = [:]
    for case .type(.inputObject(let input)) in definitions {
      for field in input.fields.elements where field.isRequired {
        let name = field.type.namedType
        if unknownKinds.contains(name, at: field.typeRange) {
          pending.append((input, field))
        } else {
          uses[name, default: []].append((input, field))
        }
      }
    }
    while let (input, field) = pending.popLast() {
      guard unknownKinds.inputs.insert(input.name).inserted else { continue }
      report(.type(input.name), requiring: "input field", field.name, at: input.nameRange)
      pending += uses[input.name] ?? []
    }
  }

  private mutating func usable(_ type: NamedType) -> NamedType? {
    let name = type.name
    switch type {
    case .object(var type):
      type.interfaces = usable(type.interfaces, "interface", of: name)
      type.fields = usable(type.fields, of: name)
      return .object(type)
    case .interface(var type):
      type.interfaces = usable(type.interfaces, "interface", of: name)
      type.fields = usable(type.fields, of: name)
      return .interface(type)
    case .union(var type):
      type.members = usable(type.members, "member", of: name)
      return .union(type)
    case .inputObject(var type):
      if unknownKinds.inputs.contains(name) { return nil }
      type.fields = usable(type.fields) { .member(type: name, name: $0) }.values
      return .inputObject(type)
    case .scalar, .enum: return type
    }
  }

  private mutating func usable(_ directive: DirectiveDefinition) -> DirectiveDefinition? {
    let name = directive.name
    let (arguments, required) = usable(directive.arguments) {
      .directiveArgument(directive: name, name: $0)
    }
    if let required {
      report(.directive(name), requiring: "argument", required, at: directive.nameRange)
      return nil
    }
    var directive = directive
    directive.arguments = arguments
    return directive
  }

  private mutating func usable(
    _ fields: NamedList<FieldDefinition>, of type: String
  ) -> NamedList<FieldDefinition> {
    var usableFields: [FieldDefinition] = []
    for var field in fields.elements {
      let name = field.name
      let coordinate = SchemaCoordinate.member(type: type, name: name)
      guard isUsable(field.type, at: field.typeRange, coordinate) else { continue }
      let (arguments, required) = usable(field.arguments) {
        .argument(type: type, field: name, name: $0)
      }
      if let required {
        report(coordinate, requiring: "argument", required, at: field.nameRange)
        continue
      }
      field.arguments = arguments
      usableFields.append(field)
    }
    return NamedList(usableFields)
  }

  /// The values that can be used, and the name of a required one that cannot.
  private mutating func usable(
    _ values: NamedList<InputValueDefinition>, _ coordinate: (String) -> SchemaCoordinate
  ) -> (values: NamedList<InputValueDefinition>, required: String?) {
    var usableValues: [InputValueDefinition] = []
    var required: String?
    for value in values.elements {
      if isUsable(value.type, at: value.typeRange, coordinate(value.name)) {
        usableValues.append(value)
      } else if value.isRequired {
        required = required ?? value.name
      }
    }
    return (NamedList(usableValues), required)
  }

  private mutating func usable(
    _ names: NamedList<TypeName>, _ what: String, of owner: String
  ) -> NamedList<TypeName> {
    var usableNames: [TypeName] = []
    for name in names.elements {
      if unknownKinds.contains(name.name, at: name.range) {
        diagnostics.add(
          "UnknownKind",
          "The \(what) \(quoted(name.name)) of \(quoted(owner)) cannot be used: its kind is unknown.",
          at: name.range)
      } else {
        usableNames.append(name)
      }
    }
    return NamedList(usableNames)
  }

  /// Whether a field or argument can have this type; reported if not.
  private mutating func isUsable(
    _ type: TypeReference, at range: SourceRange, _ coordinate: @autoclosure () -> SchemaCoordinate
  ) -> Bool {
    let name = type.namedType
    let reason: String
    if unknownKinds.contains(name, at: range) {
      reason = ": the kind of its type is unknown."
    } else if unknownKinds.inputs.contains(name) {
      reason = ", because its type \(quoted(name)) cannot."
    } else {
      return true
    }
    diagnostics.add(
      "UnknownKind", "\(quoted(coordinate().description)) cannot be used\(reason)", at: range)
    return false
  }

  private mutating func report(
    _ coordinate: SchemaCoordinate, requiring what: String, _ name: String, at range: SourceRange
  ) {
    diagnostics.add(
      "UnknownKind",
      "\(quoted(coordinate.description)) cannot be used, because its required \(what) "
        + "\(quoted(name)) cannot.", at: range)
  }
}
