/// The traversal of all definitions. Selection sets and values are queued in lists, so that nesting
/// needs no recursion; spreads are recorded, not followed.
extension ExecutableValidator {
  mutating func traverse() {
    for operation in operations {
      uses = DefinitionUses()
      uniqueVariables(operation)
      for variable in operation.variables { visit(variable) }
      visit(operation.directives, at: operation.operationType.directiveLocation)
      let rootType = schema.rootType(for: operation.operationType).map(NamedType.object)
      uses.selectionSet = visit(operation.selectionSet, on: rootType)
      operationUses.append(uses)
    }
    for fragment in fragments {
      uses = DefinitionUses()
      visit(fragment.directives, at: .fragmentDefinition)
      uses.selectionSet = visit(
        fragment.selectionSet, on: compositeType(fragment.typeCondition))
      fragmentUses.append(uses)
    }
  }

  private mutating func visit(_ variable: VariableDefinition) {
    variableInputType(variable)
    if let value = variable.defaultValue {
      defaultValue(value, of: variable)
      noteVariables(in: InputPosition(value, type: variable.type))
    }
    visit(variable.directives, at: .variableDefinition)
  }

  /// Visits the selection set of a definition and all nested ones.
  ///
  /// - Returns: its position in `selections`.
  private mutating func visit(_ selectionSet: Document.SelectionSet, on parent: NamedType?) -> Int {
    let node = selections.addSelectionSet()
    pending.append(PendingSelectionSet(selectionSet: selectionSet, parent: parent, node: node))
    while let next = pending.popLast() {
      for selection in next.selectionSet.selections { visit(selection, on: next.parent, next.node) }
    }
    return node
  }

  private mutating func visit(_ selection: Document.Selection, on parent: NamedType?, _ node: Int) {
    switch selection {
    case .field(let field): visit(field, on: parent, node)
    case .fragmentSpread(let spread): visit(spread, on: parent, node)
    case .inlineFragment(let fragment):
      visit(fragment.directives, at: .inlineFragment)
      var type = parent
      if let condition = fragment.typeCondition {
        type = compositeType(condition)
        possibleFragment(on: type, within: parent, at: condition.range)
      }
      pending.append(
        PendingSelectionSet(selectionSet: fragment.selectionSet, parent: type, node: node))
    }
  }

  private mutating func visit(_ field: Document.Field, on parent: NamedType?, _ node: Int) {
    let definition = parent.flatMap { knownField(field, on: $0) }
    visit(field.directives, at: .field)
    visitArguments(of: field, definition, on: parent)
    if let definition { streamedList(field, definition) }
    let type = definition.flatMap { schema.namedType(of: $0.type) }
    if let type { leafField(field, type) }
    var child: Int?
    if let selectionSet = field.selectionSet {
      let node = selections.addSelectionSet()
      let parent = type?.isCompositeType == true ? type : nil
      pending.append(PendingSelectionSet(selectionSet: selectionSet, parent: parent, node: node))
      child = node
    }
    let isStreamed = incremental.hasStream && field.directives.contains { $0.name == "stream" }
    selections.add(
      field, definition?.type, on: parent, child: child, isStreamed: isStreamed, to: node)
  }

  private mutating func visit(_ spread: Document.FragmentSpread, on parent: NamedType?, _ node: Int)
  {
    visit(spread.directives, at: .fragmentSpread)
    guard let position = knownFragment(spread) else { return }
    uses.spreads.append((spread.nameRange, position))
    selections.addSpread(of: position, to: node)
    let condition = fragments[position].typeCondition.name
    possibleFragment(on: schema.type(named: condition), within: parent, at: spread.nameRange)
  }

  private mutating func visit(_ directives: [Document.Directive], at location: DirectiveLocation) {
    if directives.isEmpty { return }
    checker.check(directives, at: location)
    for directive in directives {
      noteVariables(
        in: directive.arguments, schema.directive(named: directive.name)?.arguments ?? [])
      if incremental.contains(directive) { incrementalLabel(directive) }
    }
  }

  /// Section 5.4; without a definition, only the rules that need none.
  private mutating func visitArguments(
    of field: Document.Field, _ definition: FieldSignature?, on parent: NamedType?
  ) {
    let definitions = definition?.arguments ?? []
    if field.arguments.isEmpty, definitions.isEmpty { return }
    func owner() -> String { parent.map { "\($0.name).\(field.name)" } ?? field.name }
    checker.uniqueArguments(field.arguments, of: owner())
    if definition != nil {
      checker.knownArguments(field.arguments, definitions, of: owner())
      checker.requiredArguments(field.arguments, definitions, of: owner(), at: field.nameRange)
      checker.argumentValues(field.arguments, definitions, of: owner())
    }
    noteVariables(in: field.arguments, definitions)
  }

  private mutating func noteVariables(
    in arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>
  ) {
    for argument in arguments {
      var position = InputPosition(argument.value)
      if let index = definitions.position(of: argument.name) {
        position.type = definitions.elements[index].type
        position.hasDefault = definitions.elements[index].defaultValue != nil
      }
      noteVariables(in: position)
    }
  }

  private mutating func noteVariables(in position: InputPosition) {
    var pending = [position]
    while let next = pending.popLast() {
      switch next.value.kind {
      case .variable(let name):
        uses.variables.append(
          VariableUsage(
            name: name, range: next.value.range, type: next.type,
            hasLocationDefault: next.hasDefault, isOneOfField: next.isOneOfField))
      case .list(let items):
        pending += items.lazy.map { InputPosition($0, type: next.type?.itemType) }
      case .object(let fields):
        // For a list type, a single object is accepted as a list of one (section 3.11).
        if case .inputObject(let input)? = next.type.flatMap({ schema.namedType(of: $0) }) {
          pending += fields.lazy.map {
            InputPosition($0.value, of: input.fields[$0.name], isOneOfField: input.isOneOf)
          }
        } else {
          uniqueUntypedFields(fields)
          pending += fields.lazy.map { InputPosition($0.value) }
        }
      case .int, .float, .string, .boolean, .null, .enum: continue
      }
    }
  }
}

/// A value and the type that is expected at its position.
private struct InputPosition {
  let value: Document.Value
  /// Nil if any value is allowed.
  var type: TypeReference?
  var hasDefault = false
  var isOneOfField = false

  init(_ value: Document.Value, type: TypeReference? = nil) {
    self.value = value
    self.type = type
  }

  init(_ value: Document.Value, of definition: InputValueDefinition?, isOneOfField: Bool = false) {
    self.init(value, type: definition?.type)
    hasDefault = definition?.defaultValue != nil
    self.isOneOfField = isOneOfField
  }
}

extension OperationType {
  fileprivate var directiveLocation: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}
