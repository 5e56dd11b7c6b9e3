/// Section 5.8, Variables.
extension ExecutableValidator {
  /// An operation's variables have different names (section 5.8.1).
  mutating func uniqueVariables(_ operation: OperationDefinition) {
    var firsts: [String: SourceRange] = [:]
    for variable in operation.variables {
      guard let first = firsts[variable.name] else {
        firsts[variable.name] = variable.nameRange
        continue
      }
      diagnostics.add(
        "UniqueVariables",
        "There is more than one variable \(quoted("$" + variable.name)) in this operation.",
        at: variable.nameRange, notes: [("It is first defined here.", first)])
    }
  }

  /// A variable's type exists and is an input type (section 5.8.2).
  mutating func variableInputType(_ variable: VariableDefinition) {
    let name = variable.type.namedType
    let type = schema.type(named: name)
    if let type, type.isInputType { return }
    let schema = schema
    func suggestion() -> String? {
      let types = schema.types.elements + BuiltIn.types.elements
      return didYouMean(name, among: types.lazy.filter(\.isInputType).map(\.name))
    }
    if type == nil {
      diagnostics.add(
        "KnownTypes", "Unknown type \(quoted(name)).", at: variable.typeRange,
        suggestion: suggestion())
    } else {
      diagnostics.add(
        "VariableInputTypes",
        "The variable \(quoted("$" + variable.name)) cannot have the type "
          + "\(quoted(variable.type.description)), which is not an input type.",
        at: variable.typeRange, suggestion: suggestion())
    }
  }

  /// The rules about an operation's variables and their usages in it and in all its fragments.
  mutating func variablesOfOperations() {
    var steps = 0
    for (operation, uses) in zip(operations, operationUses) {
      var usages: [VariableUsage] = []
      for uses in usesIncludingFragments(uses) {
        usages += uses.variables
        steps += 1 + uses.spreads.count
      }
      steps += usages.count
      if steps > maximumSteps {
        diagnostics.add(
          "TooComplex", "The operations share too many fragments to check all their variables.",
          at: operation.nameRange)
        return
      }
      let variables = NamedList(operation.variables)
      for usage in usages {
        if let variable = variables[usage.name] {
          allowedUsage(usage, of: variable)
        } else {
          undefinedVariable(usage, in: operation)
        }
      }
      usedVariables(operation, usages)
    }
  }

  /// A variable is defined by every operation that uses it (section 5.8.3).
  private mutating func undefinedVariable(
    _ usage: VariableUsage, in operation: OperationDefinition
  ) {
    diagnostics.add(
      "KnownVariables",
      "The variable \(quoted("$" + usage.name)) is not defined by \(operation.phrase).",
      at: usage.range,
      suggestion: didYouMean(
        "$" + usage.name, among: operation.variables.lazy.map { "$" + $0.name })
        ?? usage.requiredType.map { "Define it: ($\(usage.name): \($0))." },
      notes: [("The operation is here.", operation.nameRange)])
  }

  /// Every variable is used by the operation or one of its fragments (section 5.8.4).
  private mutating func usedVariables(_ operation: OperationDefinition, _ usages: [VariableUsage]) {
    if operation.variables.isEmpty { return }
    let used = Set(usages.lazy.map(\.name))
    for variable in operation.variables where !used.contains(variable.name) {
      diagnostics.add(
        "UsedVariables",
        "The variable \(quoted("$" + variable.name)) is never used by \(operation.phrase).",
        at: variable.nameRange)
    }
  }

  /// A variable's values fit its positions (section 5.8.5 IsVariableUsageAllowed).
  private mutating func allowedUsage(_ usage: VariableUsage, of variable: VariableDefinition) {
    guard let expected = usage.type, schema.namedType(of: variable.type)?.isInputType == true else {
      return
    }
    var locationType = expected
    var isNullAllowed = true
    if expected.isNonNull || usage.isOneOfField, !variable.type.isNonNull {
      let hasDefault = variable.defaultValue.map { !$0.isNull } ?? false
      isNullAllowed = hasDefault || usage.hasLocationDefault
      locationType = expected.nullable
    }
    let isCompatible = variable.type.isCompatible(with: locationType)
    if isCompatible, isNullAllowed { return }
    let place =
      usage.isOneOfField && isCompatible
      ? "for a field of a OneOf input object, which cannot be null"
      : "where \(quoted(expected.description)) is expected"
    diagnostics.add(
      "VariableUsages",
      "The variable \(quoted("$" + variable.name)) of type \(quoted(variable.type.description)) is "
        + "used \(place).",
      at: usage.range,
      suggestion: (isCompatible ? variable.type.required : usage.requiredType).map {
        "Its type could be \(quoted($0.description))."
      },
      notes: [("The variable is defined here.", variable.range)])
  }

  /// The usages of a definition, and of all fragments that it spreads directly or through others.
  private func usesIncludingFragments(_ uses: DefinitionUses) -> [DefinitionUses] {
    var result = [uses]
    var visited: Set<Int> = []
    var position = 0
    while position < result.count {
      for spread in result[position].spreads where visited.insert(spread.fragment).inserted {
        result.append(fragmentUses[spread.fragment])
      }
      position += 1
    }
    return result
  }
}

extension VariableUsage {
  /// A type with which a variable without a default value can be used there.
  fileprivate var requiredType: TypeReference? { isOneOfField ? type?.required : type }
}

extension TypeReference {
  fileprivate var required: TypeReference? { isNonNull ? self : .nonNull(self) }

  /// Whether every value of this variable type is allowed where the other type is expected (section
  /// 5.8.5 AreTypesCompatible).
  fileprivate func isCompatible(with location: TypeReference) -> Bool {
    switch (self, location) {
    case (.nonNull(let type), .nonNull(let location)): type.isCompatible(with: location)
    case (_, .nonNull): false
    case (.nonNull(let type), _): type.isCompatible(with: location)
    case (.list(let item), .list(let locationItem)): item.isCompatible(with: locationItem)
    case (.named(let name), .named(let locationName)): name == locationName
    case (.list, .named), (.named, .list): false
    }
  }
}

extension OperationDefinition {
  /// The operation as messages show it.
  fileprivate var phrase: String {
    "the \(operationType.rawValue)\(name.map { " \(quoted($0))" } ?? "")"
  }
}

/// Section 5.6, Values; those of arguments are checked with them.
extension ExecutableValidator {
  /// A default value has the variable's type (section 5.6.1).
  mutating func defaultValue(_ value: Document.Value, of variable: VariableDefinition) {
    var checker = ValueChecker(schema: schema)
    checker.check(value, as: variable.type)
    for problem in checker.problems {
      diagnostics.add(
        "DefaultValues",
        "The default value of \(quoted("$" + variable.name)) is invalid: " + problem.message,
        at: problem.range, suggestion: problem.suggestion())
    }
  }

  /// An input field is given once, also in a value for a custom scalar (section 5.6.3).
  mutating func uniqueUntypedFields(_ fields: [Document.ObjectField]) {
    var names: Set<String> = []
    for field in fields where !names.insert(field.name).inserted {
      diagnostics.add(
        "UniqueInputFields", "The input field \(quoted(field.name)) is given more than once.",
        at: field.nameRange)
    }
  }
}
