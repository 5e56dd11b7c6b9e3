extension Parser {
  /// Section 2.9 Value; a constant has no variables in it.
  mutating func parseValue(isConst: Bool) throws(SyntaxError) -> Value {
    let start = token.start
    let kind: Value.Kind
    switch token.kind {
    case .bracketLeft: kind = .list(try parseListItems(isConst: isConst))
    case .braceLeft: kind = .object(try parseObjectFields(isConst: isConst))
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
    return Value(kind, span: span(from: start))
  }

  /// Section 2.9.7 ListValue.
  private mutating func parseListItems(isConst: Bool) throws(SyntaxError) -> [Value] {
    try enter()
    try open(.bracketLeft)
    var items: [Value] = []
    while try !close(.bracketRight) { items.append(try parseValue(isConst: isConst)) }
    leave()
    return items
  }

  /// Section 2.9.8 ObjectValue.
  private mutating func parseObjectFields(isConst: Bool) throws(SyntaxError) -> [ObjectField] {
    try enter()
    try open(.braceLeft)
    var fields: [ObjectField] = []
    while try !close(.braceRight) {
      let (name, nameSpan) = try parseName("an input field")
      try expect(.colon)
      let value = try parseValue(isConst: isConst)
      fields.append(
        ObjectField(
          name: name, value: value, nameSpan: nameSpan, span: span(from: Int(nameSpan.start))))
    }
    leave()
    return fields
  }
}
