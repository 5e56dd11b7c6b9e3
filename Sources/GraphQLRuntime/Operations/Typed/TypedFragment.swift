extension GraphQL {
  /// A fragment of a document: what a view or a function reads of an object. Only generated structs adopt it.
  public protocol TypedFragment: SelectedObject {
    /// The text of the fragment, with those that it spreads.
    static var _document: DocumentText { get }
  }
}
