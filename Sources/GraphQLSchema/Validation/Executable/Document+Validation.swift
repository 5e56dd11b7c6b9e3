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

  /// Checks the definitions of a program's documents, each operation with its fragments: like
  /// `validate(against:)`, but without the rules about all definitions of a document, which is not sent
  /// as a whole.
  ///
  /// - Parameter sources: the texts to which the ranges of the definitions refer.
  package func validate(against schema: ServiceSchema, sources: [Source]) -> [Diagnostic] {
    var validator = ExecutableValidator(
      document: self, schema: schema, sources: sources, isSentTogether: false)
    // The limit is for one document.
    validator.maximumSteps *= 1 + definitions.count / 100
    validator.validate()
    return validator.diagnostics.finish().elements
  }

  /// The fields that cannot be merged (section 5.3.2), of a document that was valid before fields were added.
  package func mergingConflicts(against schema: ServiceSchema) -> [Diagnostic] {
    var validator = ExecutableValidator(document: self, schema: schema)
    validator.traverse()
    validator.fieldMerging()
    return validator.diagnostics.finish().elements.filter { $0.code == "FieldMerging" }
  }

  /// Parses the documents of a program. The ranges of the definitions of each refer to its source by
  /// its index.
  ///
  /// - Returns: The documents, without the definitions that cannot be read, and all syntax errors.
  package static func parse(_ sources: [Source]) -> (documents: [Document], errors: [Diagnostic]) {
    var diagnostics = DiagnosticCollector(sources: sources)
    let documents = sources.indices.map {
      Document(sources[$0], index: UInt32($0), &diagnostics)
    }
    return (documents, diagnostics.finish().elements)
  }
}
