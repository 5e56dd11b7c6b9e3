extension Parser {
  /// `{ … }`, a query without a name (section 2.4).
  mutating func parseShorthandQuery() throws(SyntaxError) -> OperationDefinition {
    let start = token.start
    let selectionSet = try parseSelectionSet()
    return OperationDefinition(
      operationType: .query, selectionSet: selectionSet,
      nameRange: range(from: start, to: start + 1),
      range: range(from: start))
  }

  /// An operation with its keyword (section 2.4 OperationDefinition).
  mutating func parseOperation(
    _ type: OperationType, _ description: String?, _ start: Int
  ) throws(SyntaxError) -> OperationDefinition {
    var operation = OperationDefinition(
      description: description, operationType: type, selectionSet: Document.SelectionSet([]),
      nameRange: range(from: token.start, to: token.end))
    try advance()
    if token.kind == .name {
      let (name, nameRange) = try parseName()
      operation.name = name
      operation.nameRange = nameRange
    }
    if token.kind == .parenLeft { operation.variables = try parseVariables() }
    operation.directives = try parseDirectives(isConst: false)
    operation.selectionSet = try parseSelectionSet()
    operation.range = range(from: start)
    return operation
  }

  /// Section 2.11 VariablesDefinition.
  private mutating func parseVariables() throws(SyntaxError) -> [VariableDefinition] {
    var variables: [VariableDefinition] = []
    try open(.parenLeft)
    repeat {
      let start = token.start
      let description = try parseDescription()
      let nameStart = token.start
      try expect(.dollar)
      let name = try parseName("a variable's name").name
      let nameRange = range(from: nameStart)
      try expect(.colon)
      let (type, typeRange) = try parseType()
      var variable = VariableDefinition(
        description: description, name: name, type: type, nameRange: nameRange, typeRange: typeRange
      )
      if try skip(.equals) { variable.defaultValue = try parseValue(isConst: true) }
      variable.directives = try parseDirectives(isConst: true)
      variable.range = range(from: start)
      variables.append(variable)
    } while try !close(.parenRight)
    return variables
  }

  /// Section 2.9 FragmentDefinition.
  mutating func parseFragment(
    _ description: String?, _ start: Int
  ) throws(SyntaxError) -> FragmentDefinition {
    try advance()
    if peekName() == "on" {
      throw unexpected(
        expected: "a fragment's name", suggestion: "A fragment cannot be called \"on\".")
    }
    let (name, nameRange) = try parseName("a fragment's name")
    guard try skipKeyword("on") else { throw unexpected(expected: "\"on\"") }
    let typeCondition = try parseTypeName()
    let directives = try parseDirectives(isConst: false)
    let selectionSet = try parseSelectionSet()
    return FragmentDefinition(
      description: description, name: name, typeCondition: typeCondition, directives: directives,
      selectionSet: selectionSet, nameRange: nameRange, range: range(from: start))
  }
}

// The functions that call each other for nested selection sets have few locals: in a debug build,
// each local uses its own stack space at every level. Other functions do the rest of the work.
extension Parser {
  /// Section 2.5 SelectionSet.
  mutating func parseSelectionSet() throws(SyntaxError) -> Document.SelectionSet {
    let start = token.start
    try enter()
    try open(.braceLeft)
    var selections: [Document.Selection] = []
    repeat { try parseSelection(into: &selections) } while try !close(.braceRight)
    leave()
    return Document.SelectionSet(selections, range: range(from: start))
  }

  /// Section 2.5 Selection: the part before its own selection set, then that set.
  private mutating func parseSelection(into selections: inout [Document.Selection])
    throws(SyntaxError)
  {
    let start = token.start
    selections.append(try parseSelectionHead())
    if token.kind == .braceLeft, selections[selections.count - 1].mayHaveSelectionSet {
      let selectionSet = try parseSelectionSet()
      selections[selections.count - 1].set(selectionSet, range(from: start))
    }
  }

  private mutating func parseSelectionHead() throws(SyntaxError) -> Document.Selection {
    token.kind == .spread ? try parseFragmentHead() : .field(try parseFieldHead())
  }

  /// Section 2.6 Field, with its alias (section 2.8).
  private mutating func parseFieldHead() throws(SyntaxError) -> Document.Field {
    let start = token.start
    var (name, nameRange) = try parseName("a field")
    var alias: String?
    if try skip(.colon) {
      alias = name
      (name, nameRange) = try parseName("a field")
    }
    var field = Document.Field(alias: alias, name: name, nameRange: nameRange)
    if token.kind == .parenLeft { field.arguments = try parseArguments(isConst: false) }
    field.directives = try parseDirectives(isConst: false)
    field.range = range(from: start)
    return field
  }

  /// `...name`, `... on Type` or `...` (section 2.9).
  private mutating func parseFragmentHead() throws(SyntaxError) -> Document.Selection {
    let start = token.start
    try advance()
    if token.kind == .name, peekName() != "on" {
      let (name, nameRange) = try parseName()
      let directives = try parseDirectives(isConst: false)
      return .fragmentSpread(
        Document.FragmentSpread(
          name: name, directives: directives, nameRange: nameRange, range: range(from: start)))
    }
    let typeCondition = try skipKeyword("on") ? try parseTypeName() : nil
    let directives = try parseDirectives(isConst: false)
    guard token.kind == .braceLeft else { throw unexpected(expected: Token.Kind.braceLeft.label) }
    return .inlineFragment(
      Document.InlineFragment(
        typeCondition: typeCondition, directives: directives,
        selectionSet: Document.SelectionSet([])))
  }

  /// Section 2.7 Arguments.
  mutating func parseArguments(isConst: Bool) throws(SyntaxError) -> [Document.Argument] {
    var arguments: [Document.Argument] = []
    try open(.parenLeft)
    repeat {
      let (name, nameRange) = try parseName("an argument")
      try expect(.colon)
      let value = try parseValue(isConst: isConst)
      arguments.append(
        Document.Argument(
          name: name, value: value, nameRange: nameRange, range: range(from: Int(nameRange.start))))
    } while try !close(.parenRight)
    return arguments
  }

  /// Section 2.13 Directives.
  mutating func parseDirectives(isConst: Bool) throws(SyntaxError) -> [Document.Directive] {
    var directives: [Document.Directive] = []
    while token.kind == .at {
      let start = token.start
      try advance()
      let name = try parseName("a directive's name").name
      var directive = Document.Directive(name: name, nameRange: range(from: start))
      if token.kind == .parenLeft { directive.arguments = try parseArguments(isConst: isConst) }
      directive.range = range(from: start)
      directives.append(directive)
    }
    return directives
  }
}

extension Document.Selection {
  fileprivate var mayHaveSelectionSet: Bool {
    if case .fragmentSpread = self { false } else { true }
  }

  /// Completes the node after its selection set.
  fileprivate mutating func set(_ selectionSet: Document.SelectionSet, _ range: SourceRange) {
    switch self {
    case .field(var field):
      field.selectionSet = selectionSet
      field.range = range
      self = .field(field)
    case .inlineFragment(var fragment):
      fragment.selectionSet = selectionSet
      fragment.range = range
      self = .inlineFragment(fragment)
    case .fragmentSpread: break
    }
  }
}
