extension GraphQL {
  /// An object of a fragment, or the data of an operation. Only generated
  /// structs adopt it, as a ``TypedFragment`` or a ``SelectedRoot``.
  public protocol SelectedDocument: SelectedObject, Codable {
    /// The text of the document.
    static var _document: DocumentText { get }
  }
}
