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
