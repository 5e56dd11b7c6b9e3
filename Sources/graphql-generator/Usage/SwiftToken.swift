/// A word or a punctuation mark of Swift source.
struct SwiftToken: Equatable {
  /// An identifier or keyword without backticks, or one character.
  let text: String
  /// 1-based.
  let line: Int
}
