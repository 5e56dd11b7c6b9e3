/// Builds definitions from tokens (section 2.3), one token ahead.
///
/// This file contains the parts that all productions share; each extension adds one part of the
/// grammar. Nesting is limited by `maximumDepth`, so that no input can exhaust the stack.
struct Parser {
  var lexer: Lexer
  /// The current token.
  var token: Token
  /// Where the last consumed token starts.
  var previousStart = 0
  /// Where the last consumed token ends.
  var previousEnd = 0
  /// The starts of the brackets that are open at this point.
  var openBrackets: [Int] = []
  /// How many selection sets, values or types enclose this point.
  var depth = 0
  let maximumDepth: Int
  let source: UInt32

  init(lexer: Lexer, source: UInt32, maximumDepth: Int) {
    self.lexer = lexer
    self.source = source
    self.maximumDepth = maximumDepth
    token = Token(kind: .invalid, start: 0, end: 0)
  }

  mutating func advance() throws(SyntaxError) {
    previousStart = token.start
    previousEnd = token.end
    do throws(SyntaxError) {
      token = try lexer.next()
    } catch {
      token = Token(kind: .invalid, start: error.start, end: error.end)
      throw error
    }
  }

  /// Consumes a token of that kind if it comes next.
  mutating func skip(_ kind: Token.Kind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  mutating func expect(_ kind: Token.Kind) throws(SyntaxError) {
    guard token.kind == kind else { throw unexpected(expected: kind.label) }
    try advance()
  }

  /// Consumes an opening bracket.
  mutating func open(_ kind: Token.Kind) throws(SyntaxError) {
    guard token.kind == kind else { throw unexpected(expected: kind.label) }
    openBrackets.append(token.start)
    try advance()
  }

  /// Consumes the closing bracket if it comes next.
  mutating func close(_ kind: Token.Kind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    openBrackets.removeLast()
    try advance()
    return true
  }

  /// The name that comes next.
  mutating func parseName(_ what: String = "a name") throws(SyntaxError) -> (
    name: String, range: SourceRange
  ) {
    guard token.kind == .name else { throw unexpected(expected: what) }
    let name = lexer.text(from: token.start, to: token.end)
    let range = range(from: token.start, to: token.end)
    try advance()
    return (name, range)
  }

  /// The name that comes next without consuming it; empty if none comes next.
  func peekName() -> String {
    token.kind == .name ? lexer.text(from: token.start, to: token.end) : ""
  }

  mutating func skipKeyword(_ keyword: String) throws(SyntaxError) -> Bool {
    guard token.kind == .name, peekName() == keyword else { return false }
    try advance()
    return true
  }

  /// The description, if a string comes next (section 2.2 Description).
  mutating func parseDescription() throws(SyntaxError) -> String? {
    guard token.isString else { return nil }
    let text = try lexer.stringValue(token)
    try advance()
    return text
  }

  func range(from start: Int, to end: Int) -> SourceRange {
    SourceRange(
      source: source, start: UInt32(truncatingIfNeeded: start),
      end: UInt32(truncatingIfNeeded: end))
  }

  /// The range from a position to the end of the last consumed token.
  func range(from start: Int) -> SourceRange { range(from: start, to: previousEnd) }

  mutating func enter() throws(SyntaxError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw SyntaxError(
        message: "This is nested more than \(maximumDepth) levels deep.", start: token.start,
        end: token.end)
    }
  }

  mutating func leave() { depth -= 1 }

  func unexpected(expected: String, suggestion: String? = nil) -> SyntaxError {
    let found = token.kind == .endOfSource ? token.kind.label : quoted(tokenText)
    return SyntaxError(
      message: "Expected \(expected), found \(found).", start: token.start, end: token.end,
      suggestion: suggestion, unclosed: token.kind == .endOfSource ? openBrackets.last : nil)
  }

  private var tokenText: String { lexer.text(from: token.start, to: token.end) }
}

extension Parser {
  /// All definitions up to the end of the source; errors are reported and skipped.
  mutating func parseDefinitions(_ diagnostics: inout DiagnosticCollector) -> [Document.Definition]
  {
    var definitions: [Document.Definition] = []
    var start = -1
    do throws(SyntaxError) {
      try advance()
      if token.kind == .endOfSource { throw unexpected(expected: "a definition") }
    } catch {
      diagnostics.add(error, source: source)
      recover(from: start)
    }
    while token.kind != .endOfSource {
      start = token.start
      do throws(SyntaxError) {
        definitions.append(try parseDefinition())
      } catch {
        diagnostics.add(error, source: source)
        recover(from: start)
      }
    }
    return definitions
  }

  /// One definition or extension (section 2.3 Definition).
  private mutating func parseDefinition() throws(SyntaxError) -> Document.Definition {
    let start = token.start
    if token.kind == .braceLeft { return .operation(try parseShorthandQuery()) }
    let description = try parseDescription()
    guard token.kind == .name else {
      throw unexpected(expected: description == nil ? "a definition" : "a definition to describe")
    }
    let keyword = peekName()
    switch keyword {
    case "query": return .operation(try parseOperation(.query, description, start))
    case "mutation": return .operation(try parseOperation(.mutation, description, start))
    case "subscription": return .operation(try parseOperation(.subscription, description, start))
    case "fragment": return .fragment(try parseFragment(description, start))
    case "schema": return .schema(try parseSchemaDefinition(description, start))
    case "directive": return .directive(try parseDirectiveDefinition(description, start))
    case "extend":
      if description != nil { throw describedExtension(start) }
      return try parseExtension(start)
    default:
      if let type = try parseTypeDefinition(keyword, description, start) { return .type(type) }
      throw unexpected(
        expected: "a definition",
        suggestion: didYouMean(keyword, among: Self.definitionKeywords))
    }
  }

  static var definitionKeywords: [String] {
    [
      "query", "mutation", "subscription", "fragment", "schema", "directive", "extend", "scalar",
      "type", "interface", "union", "enum", "input",
    ]
  }

  private func describedExtension(_ start: Int) -> SyntaxError {
    SyntaxError(
      message: "An extension cannot have a description.", start: token.start, end: token.end,
      suggestion: "Describe the definition that it extends, or use a comment.")
  }
}

extension Parser {
  /// After an error, skips to the next definition.
  ///
  /// A definition is recognised by its keyword, followed by a valid token. The keyword is either outside
  /// all brackets or at the very start of a line (if brackets are missing, their count is meaningless).
  mutating func recover(from start: Int) {
    var nesting = openBrackets.count
    openBrackets.removeAll()
    depth = 0
    if previousStart > start, startsLine(previousStart) {
      // A keyword may have been parsed as a member of the broken definition before it.
      rewind(to: previousStart)
    } else if token.start == start, token.kind == .name {
      skipBrokenToken()
    }
    var descriptionStart: Int?
    while token.kind != .endOfSource {
      switch token.kind {
      case .braceLeft, .parenLeft, .bracketLeft: nesting += 1
      case .braceRight, .parenRight, .bracketRight: nesting = max(0, nesting - 1)
      case .name:
        let definitionStart = descriptionStart ?? token.start
        if nesting == 0 || startsLine(definitionStart), startsDefinition() {
          return rewind(to: definitionStart)
        }
      default: break
      }
      // The parser must not return to a description that cannot be read.
      descriptionStart = token.isString && token.start > start ? token.start : nil
      skipBrokenToken()
    }
  }

  private mutating func rewind(to position: Int) {
    lexer.position = position
    skipBrokenToken()
  }

  /// Skips errors of the lexer, which always advances.
  private mutating func skipBrokenToken() {
    while true {
      do throws(SyntaxError) { return try advance() } catch { continue }
    }
  }

  // Safe: the position is that of a token in the text, and not its first byte.
  private func startsLine(_ position: Int) -> Bool {
    unsafe position == 0 || lexer.base[position - 1] == 0x0A || lexer.base[position - 1] == 0x0D
  }

  private func startsDefinition() -> Bool {
    let keyword = peekName()
    var lookahead = lexer
    guard let next = try? lookahead.next().kind else { return false }
    switch keyword {
    case "type", "interface", "union", "enum", "input", "scalar", "fragment", "extend":
      return next == .name
    case "schema": return next == .braceLeft || next == .at
    case "directive": return next == .at
    case "query", "mutation", "subscription":
      return next == .name || next == .braceLeft || next == .parenLeft || next == .at
    default: return false
    }
  }
}

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
