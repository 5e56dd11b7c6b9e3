extension BookCard {
  /// The text of a card.
  public var label: String { "\(title) by \(author.name)" }
}
