import GraphQLSchema

extension Planner {
  /// Plans parameters of a function.
  ///
  /// - Parameter labels: Additional labels of the function.
  func plan(_ arguments: [InputValueDefinition], labels: WordSet) -> [ArgumentPlan] {
    if arguments.isEmpty { return [] }
    var labelScope = NameScope(reserved: labels)
    // Keywords are valid labels (`in:`, `self:`); only the underscore has another meaning. By
    // position, which copies no definition.
    let isFree = arguments.indices.map {
      arguments[$0].name != "_" && labelScope.claimLabel(arguments[$0].name)
    }
    let labels = arguments.indices.map {
      isFree[$0] ? arguments[$0].name : labelScope.claim(arguments[$0].name)
    }
    var variableScope = NameScope(reserved: ReservedNames.variables)
    let variables = variableScope.claimAll(labels)
    return arguments.indices.map { index in
      let type = types.input(arguments[index].type)
      let isRequired = arguments[index].isRequired
      return ArgumentPlan(
        schemaName: arguments[index].name, label: labels[index], variable: variables[index],
        type: isRequired ? type : type.madeOptional, isRequired: isRequired)
    }
  }

  /// Plans the directives for executable documents.
  var directives: [DirectivePlan] {
    var scope = NameScope(reserved: RuntimeSymbols.queryHelpers)
    let functions = scope.claimAll(schema.directives.map(\.name))
    return zip(schema.directives, functions).map { directive, function in
      let arguments = plan(directive.arguments.elements, labels: [])
      return DirectivePlan(
        schemaName: directive.name, function: SwiftKeywords.spelled(function),
        arguments: arguments,
        documentation: documentation(
          directive.description, of: directive.arguments.elements, named: arguments))
    }
  }
}

extension SwiftType {
  /// The type including nil.
  var madeOptional: SwiftType {
    if case .optional = self { self } else { .optional(self) }
  }

  /// The type without nil.
  var madeRequired: SwiftType {
    if case .optional(let wrapped) = self { wrapped } else { self }
  }
}
