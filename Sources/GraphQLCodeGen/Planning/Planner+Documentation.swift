import GraphQLSchema

extension Planner {
  /// The comment of a function: a description of it and its parameters.
  func documentation(
    _ description: String?, of arguments: [InputValueDefinition], named plans: [ArgumentPlan]
  ) -> Documentation {
    var documentation = Documentation(description: description)
    for (argument, plan) in zip(arguments, plans) {
      var notes = defaultNotes(argument)
      if let reason = argument.deprecationReason { notes.append(.deprecated(reason)) }
      if argument.description == nil, notes.isEmpty { continue }
      documentation.parameters.append(
        .init(name: plan.variable, description: argument.description, notes: notes))
    }
    return documentation
  }

  func defaultNotes(_ value: InputValueDefinition) -> [Documentation.Note] {
    value.defaultValue.map { [.defaultValue($0.description)] } ?? []
  }
}

extension Documentation {
  /// `@semanticNonNull` in words. Deeper levels than the items of a list are rare.
  static func nullabilityNotes(_ levels: Set<Int>) -> [Documentation.Note] {
    let (value, items) = (levels.contains(0), levels.contains(1))
    return value || items ? [.nullOnlyWithError(value: value, items: items)] : []
  }
}
