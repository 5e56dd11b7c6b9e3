extension Schema {
  /// All differences between an older schema and this one, the grave ones first, each kind sorted by
  /// coordinate.
  ///
  /// Elements are the same if their coordinates are (section 3.14): a renamed field is one that was
  /// removed and one that was added. The order of definitions counts for nothing, and neither do
  /// applied directives other than `@deprecated`, `@specifiedBy` and `@oneOf`, because introspection
  /// does not tell of them. Built-in scalars and directives are part of no comparison.
  public func changes(from old: Schema) -> [SchemaChange] {
    var comparison = SchemaComparison(old: old, new: self)
    comparison.run()
    return comparison.changes.sorted()
  }
}
