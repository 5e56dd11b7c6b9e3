extension Parser {
  /// Section 3.3.2 SchemaExtension or section 3.4.3 TypeExtension.
  mutating func parseExtension(_ start: Int) throws(SyntaxError) -> Document.Definition {
    try advance()
    let keyword = peekName()
    if keyword == "schema" { return .schemaExtension(try parseSchemaExtension(start)) }
    if keyword == "directive" { return .directiveExtension(try parseDirectiveExtension(start)) }
    guard let type = try parseTypeDefinition(keyword, nil, start) else {
      let keywords = [
        "schema", "scalar", "type", "interface", "union", "enum", "input", "directive",
      ]
      throw unexpected(
        expected: "a definition to extend", suggestion: didYouMean(keyword, among: keywords))
    }
    guard addsSomething(type) else {
      throw unexpected(expected: "the content of the extension of \(quoted(type.name))")
    }
    return .typeExtension(type)
  }

  private mutating func parseSchemaExtension(_ start: Int) throws(SyntaxError) -> SchemaDefinition {
    try advance()
    var schema = SchemaDefinition()
    schema.directives = try parseDirectives(isConst: true)
    if token.kind == .braceLeft {
      schema.operationTypes = try parseRootOperationTypes()
    } else if schema.directives.isEmpty {
      throw unexpected(expected: "the content of the schema extension")
    }
    schema.range = range(from: start)
    return schema
  }

  /// `extend directive @name @added`, a proposal for the specification.
  private mutating func parseDirectiveExtension(
    _ start: Int
  ) throws(SyntaxError) -> DirectiveDefinition {
    try advance()
    let nameStart = token.start
    try expect(.at)
    let name = try parseName("a directive's name").name
    let nameRange = range(from: nameStart)
    let directives = try parseDirectives(isConst: true)
    guard !directives.isEmpty else {
      throw unexpected(expected: "the content of the extension of \(quoted("@" + name))")
    }
    return DirectiveDefinition(
      name: name, locations: [], directives: directives, nameRange: nameRange,
      range: range(from: start))
  }

  private func addsSomething(_ type: NamedType) -> Bool {
    if !type.directives.isEmpty { return true }
    return switch type {
    case .scalar: false
    case .object(let type): !type.fields.isEmpty || !type.interfaces.isEmpty
    case .interface(let type): !type.fields.isEmpty || !type.interfaces.isEmpty
    case .union(let type): !type.members.isEmpty
    case .enum(let type): !type.values.isEmpty
    case .inputObject(let type): !type.fields.isEmpty
    }
  }
}
