// Safe: the builder holds the tree, which keeps the name.
extension GraphQL.AbstractQuery {
  /// Adds a field by name, without the compiler's help.
  ///
  /// - Parameters:
  ///   - field: the field's name in the schema.
  ///   - aliasSuffix: makes the response name `field__aliasSuffix`.
  ///   - args: arguments as GraphQL text with the parentheses, `(first: 10)`. It is sent as it
  ///     stands; values that come from a user belong into typed arguments.
  ///   - subfields: the field's selection set. Later changes to it are part of this query.
  public final func addField(
    field: String, aliasSuffix: String? = nil, args: String? = nil,
    subfields: GraphQL.AbstractQuery? = nil
  ) {
    unsafe append(tree.pointee.own(field))
    describe(alias: aliasSuffix, rawArguments: args)
    if let subfields { unsafe tree.pointee.attach(subfields, to: last) }
  }
}
