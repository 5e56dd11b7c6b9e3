/// Words with which names are compared.
///
/// Hardly any name is one of them, and most differ in their first letter and their length: hashing
/// each name for each set took a thirtieth of the time of generating.
package struct WordSet: ExpressibleByArrayLiteral, Sendable {
  private let words: Set<String>
  /// For each first byte of a word, a bit for each length of those words; the last bit is for all
  /// that are longer.
  private let lengths: [UInt32]

  init(_ words: Set<String>) {
    self.words = words
    var lengths = [UInt32](repeating: 0, count: 256)
    for word in words {
      lengths[Int(word.utf8.first ?? 0)] |= Self.bit(of: word)
    }
    self.lengths = lengths
  }

  package init(arrayLiteral words: String...) { self.init(Set(words)) }

  package func contains(_ word: String) -> Bool {
    lengths[Int(word.utf8.first ?? 0)] & Self.bit(of: word) != 0 && words.contains(word)
  }

  func union(_ others: WordSet) -> WordSet { WordSet(words.union(others.words)) }

  private static func bit(of word: String) -> UInt32 { 1 << min(UInt32(word.utf8.count), 31) }
}
