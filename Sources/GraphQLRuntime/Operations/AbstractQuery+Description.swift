extension GraphQL.AbstractQuery: CustomStringConvertible {
  /// The operation or selection set as readable GraphQL, with the argument values inline.
  public final var description: String {
    let kind = (Self.self as? any GraphQL.OperationBuilder.Type)?.operationKind ?? .query
    var printer = GraphQL.DocumentPrinter(.readable, schema: Self.schema)
    printer.print(kind, freeze(kind).content.selectionSet, header: header)
    return printer.document
  }
}
