extension GraphQL.FragmentDefinition {
  /// A document with the fragment, and with those that it spreads.
  func printed() -> GraphQL.DocumentPrinter {
    let spread = GraphQL.SelectionSet(type: type, entries: [.spread(self, directives: [])])
    var printer = GraphQL.DocumentPrinter(.readable, schema: schema)
    printer.print(.query, spread, header: nil)
    return printer
  }

  /// Whether both are the same fragment, with the same values of variables. Each fragment of a document that is spread
  /// has definitions of its own for those that it spreads.
  func isSame(as other: GraphQL.FragmentDefinition) -> Bool {
    if self === other { return true }
    guard schema === other.schema, type === other.type else { return false }
    let (mine, theirs) = (printed(), other.printed())
    // Swift's equality of strings does not distinguish all texts.
    return mine.document.utf8.elementsEqual(theirs.document.utf8)
      && mine.variables == theirs.variables
  }
}
