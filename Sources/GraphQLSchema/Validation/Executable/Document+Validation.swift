extension Document {
  /// Checks the document against every rule of chapter 5, so that a service can execute it.
  ///
  /// The time grows with the document's size. The few rules for which hostile documents could
  /// increase it further stop at a limit and report that instead (code `TooComplex`).
  ///
  /// - Returns: all violations in the order of their positions in the document, at most about
  ///   1,000; empty if the document is valid.
  public func validate(against schema: ServiceSchema) -> [Diagnostic] {
    var validator = ExecutableValidator(document: self, schema: schema)
    validator.validate()
    return validator.diagnostics.finish().elements
  }
}
