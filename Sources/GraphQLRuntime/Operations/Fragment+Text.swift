extension GraphQL.Fragment {
  /// A document with the fragment, and with those that it spreads. Its operation has no meaning.
  ///
  /// - Throws: ``GraphQL/InvalidQuery`` for selections that cannot be sent, and for values without a literal form.
  package func text() throws(GraphQL.InvalidQuery) -> String {
    let printer = definition.printed()
    let problems = definition.problems + printer.problems
    guard problems.isEmpty else { throw GraphQL.InvalidQuery(problems: problems) }
    return printer.document
  }
}
