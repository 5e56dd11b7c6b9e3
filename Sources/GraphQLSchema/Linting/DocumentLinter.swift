/// Finds what is valid in documents and probably a mistake.
///
/// Syntax errors and violations of the specification are left to the validation: unknown names are
/// skipped here.
package struct DocumentLinter {
  /// The kinds of findings.
  package enum Rule: CaseIterable {
    /// Fragments that no selection set spreads.
    case unusedFragments
    /// Fields, arguments, input fields and enum values that the service wants to remove.
    case deprecations
    /// Pages of a connection without the information whether there are more.
    case pageInfo
  }

  private let schema: ServiceSchema
  private let rules: Set<Rule>
  private let documents: [Document]
  private let sources: [Source]
  /// Fragments by name, also those of other modules.
  private let fragments: [String: FragmentDefinition]
  private let isUsed: (String) -> Bool

  /// - Parameters:
  ///   - documents: the documents to check.
  ///   - sources: the texts to which the ranges of their definitions refer.
  ///   - fragments: their fragments and those of other modules, by name.
  ///   - isUsed: whether a fragment that no document spreads is used elsewhere.
  package init(
    _ documents: [Document], sources: [Source], fragments: [String: FragmentDefinition],
    schema: ServiceSchema, reports rules: Set<Rule> = Set(Rule.allCases),
    isUsed: @escaping (String) -> Bool = { _ in false }
  ) {
    self.schema = schema
    self.rules = rules
    self.documents = documents
    self.sources = sources
    self.fragments = fragments
    self.isUsed = isUsed
  }

  /// Parses the documents, without syntax errors, which are skipped.
  package init(
    _ sources: [Source], schema: ServiceSchema, reports rules: Set<Rule> = Set(Rule.allCases)
  ) {
    let documents = Document.parse(sources).documents
    self.init(
      documents, sources: sources, fragments: documents.fragmentsByName, schema: schema,
      reports: rules)
  }

  /// All findings, in the order of the sources and the positions in them.
  package func findings() -> [Diagnostic] {
    let walk = LintingWalk(schema: schema, rules: rules, sources: sources, fragments: fragments)
    let parts = Concurrency.map(documents, partsOf: Concurrency.documentsPerPart) { documents in
      var walk = walk
      for document in documents { walk.visit(document) }
      return walk
    }
    var diagnostics = DiagnosticCollector(sources: sources)
    for part in parts { diagnostics.add(part.diagnostics) }
    if rules.contains(.unusedFragments) {
      reportUnusedFragments(Set(parts.flatMap(\.spreads)), &diagnostics)
    }
    return diagnostics.finish().elements
  }

  /// A module without operations has its fragments for other modules.
  private func reportUnusedFragments(
    _ spreads: Set<String>, _ diagnostics: inout DiagnosticCollector
  ) {
    guard documents.contains(where: { !$0.operations.isEmpty }) else { return }
    for fragment in documents.flatMap(\.fragments)
    where !spreads.contains(fragment.name) && !isUsed(fragment.name) {
      diagnostics.add(
        "UnusedFragment", "No document of this module uses the fragment \(quoted(fragment.name)).",
        at: fragment.nameRange, as: .warning)
    }
  }
}
