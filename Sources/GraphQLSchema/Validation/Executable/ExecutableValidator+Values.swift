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
