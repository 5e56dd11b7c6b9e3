extension Parser {
  /// Section 3.3 SchemaDefinition.
  mutating func parseSchemaDefinition(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> SchemaDefinition {
    try advance()
    var schema = SchemaDefinition(description: description)
    schema.directives = try parseDirectives(isConst: true)
    schema.operationTypes = try parseRootOperationTypes()
    schema.range = range(from: start)
    return schema
  }

  /// Section 3.3.1 RootOperationTypeDefinition, in braces.
  mutating func parseRootOperationTypes() throws(SyntaxError) -> [RootOperationTypeDefinition] {
    var operationTypes: [RootOperationTypeDefinition] = []
    try open(.braceLeft)
    repeat {
      let start = token.start
      let keyword = peekName()
      guard let operationType = OperationType(rawValue: keyword) else {
        throw unexpected(
          expected: "\"query\", \"mutation\" or \"subscription\"",
          suggestion: didYouMean(keyword, among: OperationType.allCases.map(\.rawValue)))
      }
      try advance()
      try expect(.colon)
      let type = try parseTypeName()
      operationTypes.append(
        RootOperationTypeDefinition(
          operationType: operationType, type: type, range: range(from: start)))
    } while try !close(.braceRight)
    return operationTypes
  }

  /// A type definition, or the part after `extend`; nil if the keyword is not one of a type
  /// (section 3.4).
  mutating func parseTypeDefinition(
    _ keyword: String, _ description: String?, _ start: Int
  ) throws(SyntaxError) -> NamedType? {
    switch keyword {
    case "scalar": .scalar(try parseScalar(description, start))
    case "type": .object(try parseObject(description, start))
    case "interface": .interface(try parseInterface(description, start))
    case "union": .union(try parseUnion(description, start))
    case "enum": .enum(try parseEnum(description, start))
    case "input": .inputObject(try parseInputObject(description, start))
    default: nil
    }
  }

  /// Section 3.5 ScalarTypeDefinition.
  private mutating func parseScalar(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> ScalarType {
    try advance()
    let (name, nameRange) = try parseName("a type's name")
    let directives = try parseDirectives(isConst: true)
    return ScalarType(
      description: description, name: name, directives: directives, nameRange: nameRange,
      range: range(from: start))
  }

  /// Section 3.6 ObjectTypeDefinition.
  private mutating func parseObject(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> ObjectType {
    try advance()
    let (name, nameRange) = try parseName("a type's name")
    let interfaces = try parseInterfaces()
    let directives = try parseDirectives(isConst: true)
    let fields = try parseFieldDefinitions()
    return ObjectType(
      description: description, name: name, interfaces: interfaces, fields: fields,
      directives: directives, nameRange: nameRange, range: range(from: start))
  }

  /// Section 3.7 InterfaceTypeDefinition.
  private mutating func parseInterface(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> InterfaceType {
    try advance()
    let (name, nameRange) = try parseName("a type's name")
    let interfaces = try parseInterfaces()
    let directives = try parseDirectives(isConst: true)
    let fields = try parseFieldDefinitions()
    return InterfaceType(
      description: description, name: name, interfaces: interfaces, fields: fields,
      directives: directives, nameRange: nameRange, range: range(from: start))
  }

  /// Section 3.8 UnionTypeDefinition.
  private mutating func parseUnion(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> UnionType {
    try advance()
    let (name, nameRange) = try parseName("a type's name")
    let directives = try parseDirectives(isConst: true)
    let members = try parseUnionMembers()
    return UnionType(
      description: description, name: name, members: members, directives: directives,
      nameRange: nameRange, range: range(from: start))
  }

  /// Section 3.9 EnumTypeDefinition.
  private mutating func parseEnum(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> EnumType {
    try advance()
    let (name, nameRange) = try parseName("a type's name")
    let directives = try parseDirectives(isConst: true)
    let values = try parseEnumValues()
    return EnumType(
      description: description, name: name, values: values, directives: directives,
      nameRange: nameRange, range: range(from: start))
  }

  /// Section 3.10 InputObjectTypeDefinition.
  private mutating func parseInputObject(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> InputObjectType {
    try advance()
    let (name, nameRange) = try parseName("a type's name")
    let directives = try parseDirectives(isConst: true)
    let fields = try parseInputValues(.braceLeft, .braceRight, what: "an input field")
    return InputObjectType(
      description: description, name: name, fields: fields, directives: directives,
      nameRange: nameRange, range: range(from: start))
  }
}

extension Parser {
  /// `implements & A & B` (section 3.6 ImplementsInterfaces).
  mutating func parseInterfaces() throws(SyntaxError) -> NamedList<TypeName> {
    guard try skipKeyword("implements") else { return [] }
    _ = try skip(.ampersand)
    var interfaces: [TypeName] = []
    repeat { interfaces.append(try parseTypeName()) } while try skip(.ampersand)
    return NamedList(interfaces)
  }

  /// `= | A | B` (section 3.8 UnionMemberTypes).
  mutating func parseUnionMembers() throws(SyntaxError) -> NamedList<TypeName> {
    guard try skip(.equals) else { return [] }
    _ = try skip(.pipe)
    var members: [TypeName] = []
    repeat { members.append(try parseTypeName()) } while try skip(.pipe)
    return NamedList(members)
  }

  /// Section 3.6 FieldsDefinition, which may be absent.
  mutating func parseFieldDefinitions() throws(SyntaxError) -> NamedList<FieldDefinition> {
    guard token.kind == .braceLeft else { return [] }
    try open(.braceLeft)
    var fields: [FieldDefinition] = []
    repeat {
      let start = token.start
      let description = try parseDescription()
      let (name, nameRange) = try parseName("a field")
      let arguments = try parseInputValues(.parenLeft, .parenRight, what: "an argument")
      try expect(.colon)
      let (type, typeRange) = try parseType()
      let directives = try parseDirectives(isConst: true)
      fields.append(
        FieldDefinition(
          description: description, name: name, arguments: arguments, type: type,
          directives: directives, nameRange: nameRange, typeRange: typeRange,
          range: range(from: start)))
    } while try !close(.braceRight)
    return NamedList(fields)
  }

  /// Arguments (section 3.6.1) or input fields (section 3.10), which may be absent.
  mutating func parseInputValues(
    _ opening: Token.Kind, _ closing: Token.Kind, what: String
  ) throws(SyntaxError) -> NamedList<InputValueDefinition> {
    guard token.kind == opening else { return [] }
    try open(opening)
    var values: [InputValueDefinition] = []
    repeat {
      let start = token.start
      let description = try parseDescription()
      let (name, nameRange) = try parseName(what)
      try expect(.colon)
      let (type, typeRange) = try parseType()
      let defaultValue = try skip(.equals) ? try parseValue(isConst: true) : nil
      let directives = try parseDirectives(isConst: true)
      values.append(
        InputValueDefinition(
          description: description, name: name, type: type, defaultValue: defaultValue,
          directives: directives, nameRange: nameRange, typeRange: typeRange,
          range: range(from: start)))
    } while try !close(closing)
    return NamedList(values)
  }

  /// Section 3.9 EnumValuesDefinition, which may be absent.
  mutating func parseEnumValues() throws(SyntaxError) -> NamedList<EnumValueDefinition> {
    guard token.kind == .braceLeft else { return [] }
    try open(.braceLeft)
    var values: [EnumValueDefinition] = []
    repeat {
      let start = token.start
      let description = try parseDescription()
      let (name, nameRange) = try parseName("an enum value")
      if name == "true" || name == "false" || name == "null" {
        throw SyntaxError(
          message: "An enum value cannot be called \(quoted(name)).", start: Int(nameRange.start),
          end: Int(nameRange.end))
      }
      let directives = try parseDirectives(isConst: true)
      values.append(
        EnumValueDefinition(
          description: description, name: name, directives: directives, nameRange: nameRange,
          range: range(from: start)))
    } while try !close(.braceRight)
    return NamedList(values)
  }

  /// Section 3.13 DirectiveDefinition, with the directives that are proposed for it.
  mutating func parseDirectiveDefinition(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> DirectiveDefinition {
    try advance()
    let nameStart = token.start
    try expect(.at)
    let name = try parseName("a directive's name").name
    let nameRange = range(from: nameStart)
    let arguments = try parseInputValues(.parenLeft, .parenRight, what: "an argument")
    let directives = try parseDirectives(isConst: true)
    let isRepeatable = try skipKeyword("repeatable")
    guard try skipKeyword("on") else { throw unexpected(expected: "\"on\"") }
    _ = try skip(.pipe)
    var locations: [DirectiveLocation] = []
    repeat {
      let name = peekName()
      guard let location = DirectiveLocation(rawValue: name) else {
        throw unexpected(
          expected: "a directive location",
          suggestion: didYouMean(name, among: DirectiveLocation.allCases.map(\.rawValue)))
      }
      locations.append(location)
      try advance()
    } while try skip(.pipe)
    return DirectiveDefinition(
      description: description, name: name, arguments: arguments, isRepeatable: isRepeatable,
      locations: locations, directives: directives, nameRange: nameRange,
      range: range(from: start))
  }
}

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
