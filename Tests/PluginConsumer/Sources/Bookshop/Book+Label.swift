extension Shop.Book {
  /// What stands on the shelf.
  public var label: String {
    genre.map { "\(title) (\($0.rawValue.lowercased()))" } ?? title
  }
}
