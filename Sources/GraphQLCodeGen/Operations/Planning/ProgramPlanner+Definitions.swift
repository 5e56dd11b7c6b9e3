import GraphQLSchema

extension ProgramPlanner {
  func plan(_ operation: OperationDefinition) throws(ViewBuilder.TooMany) -> OperationPlan? {
    guard let name = operation.name, let type = DefinitionNames.type(of: operation),
      let root = schema.rootType(for: operation.operationType)
    else { return nil }
    let view = try view(of: operation.selectionSet, on: .object(root))
    let spreads = operation.selectionSet.spreads.map(\.name)
    let structs = StructPlanner(self, types: nestedTypes(of: type, spreads: spreads))
    let (variables, parameters) = self.variables(of: operation)
    return OperationPlan(
      name: type, kind: operation.operationType.protocolName,
      documentation: Documentation(
        description: operation.description
          ?? "The \(operation.operationType.rawValue) `\(name)`."),
      text: try text(
        name, fragments.sent(operation, spreads: spreads), dump: ViewChecksum.dump(view)),
      variables: variables,
      initializer: Documentation(
        description: "Creates the \(operation.operationType.rawValue) with its variables.",
        parameters: parameters),
      data: structs.plan(view, named: RuntimeSymbols.data, path: type + "." + RuntimeSymbols.data))
  }

  func plan(_ fragment: FragmentDefinition) throws(ViewBuilder.TooMany) -> FragmentPlan? {
    let name = fragment.name
    // A fragment that was added has no struct.
    guard fragment.range.isKnown, let view = try view(ofFragment: name) else { return nil }
    let type = DefinitionNames.type(ofFragment: name)
    let spreads = fragment.selectionSet.spreads.map(\.name)
    let structs = StructPlanner(self, types: nestedTypes(of: type, spreads: spreads))
    return FragmentPlan(
      documentation: Documentation(
        description: fragment.description
          ?? "The fragment `\(name)` on `\(fragment.typeCondition.name)`."),
      text: try text(
        name, fragments.sent(fragment: name), dump: ViewChecksum.dump(fragment: name, view)),
      fields: structs.plan(view, named: type, path: type))
  }

  /// The parameters of an operation's initialiser, and their descriptions.
  private func variables(
    of operation: OperationDefinition
  ) -> ([ArgumentPlan], [Documentation.ParameterNote]) {
    let definitions = operation.variables
    var labels = NameScope()
    let isFree = definitions.map { $0.name != "_" && labels.claimLabel($0.name) }
    let names = definitions.indices.map {
      isFree[$0] ? definitions[$0].name : labels.claim(definitions[$0].name)
    }
    var scope = NameScope(reserved: ReservedNames.operationVariables)
    let variables = scope.claimAll(names)
    var plans: [ArgumentPlan] = []
    var notes: [Documentation.ParameterNote] = []
    for (index, definition) in definitions.enumerated() {
      let value = types.operationType(definition.type, isResult: false).madeRequired
      let isRequired = definition.type.isNonNull && definition.defaultValue == nil
      plans.append(
        ArgumentPlan(
          schemaName: definition.name, label: names[index], variable: variables[index],
          type: isRequired ? value : .optional(value), isRequired: isRequired))
      let text = "`\(definition.type.description)`."
      notes.append(
        .init(
          name: variables[index],
          description: definition.description.map { $0 + " " + text } ?? text,
          notes: definition.defaultValue.map { [.defaultValue($0.description)] } ?? []))
    }
    return (plans, notes)
  }
}

extension OperationType {
  /// The protocol of the runtime that an operation's type adopts.
  fileprivate var protocolName: String {
    switch self {
    case .query: RuntimeSymbols.typedQuery
    case .mutation: RuntimeSymbols.typedMutation
    case .subscription: RuntimeSymbols.typedSubscription
    }
  }
}
