extension GraphQL.AbstractQuery {
  /// Adds a field by name, without checks by the compiler.
  ///
  /// - Parameters:
  ///   - field: the field's name in the schema.
  ///   - aliasSuffix: makes the response name `field__aliasSuffix`.
  ///   - args: arguments as GraphQL text with the parentheses, `(first: 10)`. The text is sent
  ///     unchanged; pass values that come from a user as typed arguments.
  ///   - subfields: the field's selection set. Later changes to it are part of this query.
  public final func addField(
    field: String, aliasSuffix: String? = nil, args: String? = nil,
    subfields: GraphQL.AbstractQuery? = nil
  ) {
    describe(GraphQL.SelectionDetails(name: field, alias: aliasSuffix, rawArguments: args))
    if let subfields { madeExtras().attached[codes.count - 1] = subfields }
  }
}
