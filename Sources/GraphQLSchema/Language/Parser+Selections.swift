extension Parser {
  /// Section 2.4 SelectionSet.
  mutating func parseSelectionSet() throws(SyntaxError) -> SelectionSet {
    let start = token.start
    try enter()
    try open(.braceLeft)
    var selections: [Selection] = []
    repeat {
      if token.kind == .spread {
        selections.append(try parseFragmentSelection())
      } else {
        selections.append(.field(try parseField()))
      }
    } while try !close(.braceRight)
    leave()
    return SelectionSet(selections, span: span(from: start))
  }

  /// Section 2.5 Field, with its alias (section 2.7).
  private mutating func parseField() throws(SyntaxError) -> Field {
    let start = token.start
    var (name, nameSpan) = try parseName("a field")
    var alias: String?
    if try skip(.colon) {
      alias = name
      (name, nameSpan) = try parseName("a field")
    }
    var field = Field(alias: alias, name: name, nameSpan: nameSpan)
    if token.kind == .parenLeft { field.arguments = try parseArguments(isConst: false) }
    field.directives = try parseDirectives(isConst: false)
    if token.kind == .braceLeft { field.selectionSet = try parseSelectionSet() }
    field.span = span(from: start)
    return field
  }

  /// `...name`, `... on Type { }` or `... { }` (section 2.8).
  private mutating func parseFragmentSelection() throws(SyntaxError) -> Selection {
    let start = token.start
    try advance()
    if token.kind == .name, peekName() != "on" {
      let (name, nameSpan) = try parseName()
      let directives = try parseDirectives(isConst: false)
      return .fragmentSpread(
        FragmentSpread(
          name: name, directives: directives, nameSpan: nameSpan, span: span(from: start)))
    }
    let typeCondition = try skipKeyword("on") ? try parseTypeName() : nil
    let directives = try parseDirectives(isConst: false)
    let selectionSet = try parseSelectionSet()
    return .inlineFragment(
      InlineFragment(
        typeCondition: typeCondition, directives: directives, selectionSet: selectionSet,
        span: span(from: start)))
  }

  /// Section 2.6 Arguments.
  mutating func parseArguments(isConst: Bool) throws(SyntaxError) -> [Argument] {
    var arguments: [Argument] = []
    try open(.parenLeft)
    repeat {
      let (name, nameSpan) = try parseName("an argument")
      try expect(.colon)
      let value = try parseValue(isConst: isConst)
      arguments.append(
        Argument(
          name: name, value: value, nameSpan: nameSpan, span: span(from: Int(nameSpan.start))))
    } while try !close(.parenRight)
    return arguments
  }

  /// Section 2.12 Directives.
  mutating func parseDirectives(isConst: Bool) throws(SyntaxError) -> [Directive] {
    var directives: [Directive] = []
    while token.kind == .at {
      let start = token.start
      try advance()
      let name = try parseName("a directive's name").name
      var directive = Directive(name: name, nameSpan: span(from: start))
      if token.kind == .parenLeft { directive.arguments = try parseArguments(isConst: isConst) }
      directive.span = span(from: start)
      directives.append(directive)
    }
    return directives
  }
}
