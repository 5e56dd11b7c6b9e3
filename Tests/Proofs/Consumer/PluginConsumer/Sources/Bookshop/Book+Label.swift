extension Shop.Book {
  /// The text on the shelf.
  public var label: String {
    genre.map { "\(title) (\($0.rawValue.lowercased()))" } ?? title
  }
}
