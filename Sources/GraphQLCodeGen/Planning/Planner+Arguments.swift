import GraphQLSchema

extension Planner {
  /// Plans parameters of a function.
  ///
  /// - Parameters:
  ///   - wanted: Their names in Swift, if nothing else has them.
  ///   - labels: Additional labels of the function.
  func plan(
    _ arguments: [InputValueDefinition], named wanted: [String], labels: WordSet
  ) -> [ArgumentPlan] {
    if arguments.isEmpty { return [] }
    var labelScope = NameScope(reserved: labels)
    // Keywords are valid labels (`in:`, `self:`); only the underscore has another meaning. By
    // position, which copies no definition.
    let isFree = arguments.indices.map {
      wanted[$0] != "_" && labelScope.claimLabel(wanted[$0])
    }
    let labels = arguments.indices.map {
      isFree[$0] ? wanted[$0] : labelScope.claim(wanted[$0])
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
    let functions = scope.claimAll(schema.directives.map { wantedNames[.directive($0.name)] })
    return zip(schema.directives, functions).map { directive, function in
      let definitions = directive.arguments.elements
      let wanted = definitions.map {
        wantedNames[.directiveArgument(directive: directive.name, name: $0.name)]
      }
      let arguments = plan(definitions, named: wanted, labels: [])
      return DirectivePlan(
        schemaName: directive.name, function: SwiftKeywords.spelled(function),
        arguments: arguments,
        documentation: documentation(
          directive.description, of: definitions, named: arguments))
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
