extension GraphQL {
  /// An object of a fragment, or the data of an operation. Only generated
  /// structs adopt it, as a ``TypedFragment`` or a ``SelectedRoot``.
  ///
  /// It has the functions of `Codable`, but does not refine it: two conformances for each document are 8 % of the
  /// size of generated code. A type that is coded declares it: `extension ProductCard: Codable {}`.
  public protocol SelectedDocument: SelectedObject {
    /// The text of the document. A function, since a static property would export a descriptor.
    static func _document() -> DocumentText
  }
}
