extension GraphQL {
  /// A fragment of a document: what a view or a function reads of an object. Only generated structs adopt it.
  public protocol TypedFragment: SelectedDocument {}
}
