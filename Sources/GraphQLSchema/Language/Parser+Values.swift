// The functions that call each other for nested values have few locals: in a debug build, each
// local uses its own stack space at every level. Other functions do the rest of the work.
extension Parser {
  /// Section 2.10 Value; a constant contains no variables.
  mutating func parseValue(isConst: Bool) throws(SyntaxError) -> Document.Value {
    if token.kind == .bracketLeft { return try parseList(isConst: isConst) }
    if token.kind == .braceLeft { return try parseObject(isConst: isConst) }
    return try parseSimpleValue(isConst: isConst)
  }

  /// Section 2.10.7 ListValue.
  private mutating func parseList(isConst: Bool) throws(SyntaxError) -> Document.Value {
    let start = token.start
    try enter()
    try open(.bracketLeft)
    var items: [Document.Value] = []
    while try !close(.bracketRight) { items.append(try parseValue(isConst: isConst)) }
    leave()
    return Document.Value(.list(items), range: range(from: start))
  }

  /// Section 2.10.8 ObjectValue.
  private mutating func parseObject(isConst: Bool) throws(SyntaxError) -> Document.Value {
    let start = token.start
    try enter()
    try open(.braceLeft)
    var fields: [Document.ObjectField] = []
    while try !close(.braceRight) {
      fields.append(try parseObjectFieldName())
      fields[fields.count - 1].value = try parseValue(isConst: isConst)
      fields[fields.count - 1].range.end = UInt32(truncatingIfNeeded: previousEnd)
    }
    leave()
    return Document.Value(.object(fields), range: range(from: start))
  }

  /// An input field up to its value.
  private mutating func parseObjectFieldName() throws(SyntaxError) -> Document.ObjectField {
    let (name, nameRange) = try parseName("an input field")
    try expect(.colon)
    return Document.ObjectField(name: name, value: .null, nameRange: nameRange, range: nameRange)
  }

  /// A value without parts.
  private mutating func parseSimpleValue(isConst: Bool) throws(SyntaxError) -> Document.Value {
    let start = token.start
    let kind: Document.Value.Kind
    switch token.kind {
    case .int:
      kind = .int(lexer.text(from: token.start, to: token.end))
      try advance()
    case .float:
      kind = .float(lexer.text(from: token.start, to: token.end))
      try advance()
    case .plainString, .escapedString, .blockString:
      kind = .string(try lexer.stringValue(token))
      try advance()
    case .name:
      kind =
        switch try parseName().name {
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "null": .null
        case let name: .enum(name)
        }
    case .dollar:
      try advance()
      let name = try parseName("a variable's name").name
      if isConst {
        throw SyntaxError(
          message: "A constant value cannot contain the variable \(quoted("$" + name)).",
          start: start, end: previousEnd)
      }
      kind = .variable(name)
    default: throw unexpected(expected: "a value")
    }
    return Document.Value(kind, range: range(from: start))
  }
}

extension Parser {
  /// Section 2.12 Type. Lists are counted and then wrapped in a loop, without recursion.
  mutating func parseType() throws(SyntaxError) -> (type: TypeReference, range: SourceRange) {
    let start = token.start
    let outerDepth = depth
    var lists = 0
    while token.kind == .bracketLeft {
      try enter()
      try open(.bracketLeft)
      lists += 1
    }
    var type = TypeReference.named(try parseName("a type").name)
    if try skip(.bang) { type = .nonNull(type) }
    while lists > 0 {
      guard try close(.bracketRight) else { throw unexpected(expected: "\"]\"") }
      lists -= 1
      type = .list(type)
      if try skip(.bang) { type = .nonNull(type) }
    }
    depth = outerDepth
    return (type, range(from: start))
  }

  /// A type by its bare name (section 2.12 NamedType).
  mutating func parseTypeName() throws(SyntaxError) -> TypeName {
    let (name, range) = try parseName("a type's name")
    return TypeName(name, range: range)
  }
}
