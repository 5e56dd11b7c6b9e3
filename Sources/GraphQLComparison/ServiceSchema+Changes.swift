import GraphQLSchema

extension ServiceSchema {
  /// All differences between an older schema and this one, the most severe first, each kind sorted
  /// by coordinate.
  ///
  /// Elements are the same if their coordinates are equal (section 2.14): a renamed field counts as
  /// one removed and one added field. The order of definitions does not matter. Applied directives
  /// other than `@deprecated`, `@specifiedBy` and `@oneOf` do not matter either, because
  /// introspection does not include them. Built-in scalars and directives are not compared.
  public func changes(from old: ServiceSchema) -> [SchemaChange] {
    var comparison = SchemaComparison(old: old, new: self)
    comparison.run()
    return comparison.changes.sorted()
  }
}
