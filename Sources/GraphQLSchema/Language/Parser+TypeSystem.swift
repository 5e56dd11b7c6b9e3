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
