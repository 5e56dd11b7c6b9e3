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
