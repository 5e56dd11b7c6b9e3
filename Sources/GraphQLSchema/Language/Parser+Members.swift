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
