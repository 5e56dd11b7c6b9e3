extension JSON {
  /// A JSON number as its text, so that no digit is lost.
  ///
  /// Two numbers are equal when their texts are: `1` and `1.0` differ. Compare ``int64`` or
  /// ``double`` to compare values.
  public struct Number: Hashable, Sendable, CustomStringConvertible {
    /// The number's text in JSON.
    public let text: String

    /// A number with the given `text`, if it is one by the grammar of RFC 8259, section 6.
    public init?(text: String) {
      guard let document = try? JSONDocument(parsing: text),
        document.kind(at: JSONDocument.rootIndex) == .number,
        document.sourceRange(at: JSONDocument.rootIndex).count == document.byteCount
      else { return nil }
      self.text = text
    }

    /// A number with a text that the parser has accepted.
    init(checkedText: String) { text = checkedText }

    /// The integer `value`.
    public init(_ value: some BinaryInteger) { text = value.description }

    /// The shortest text that is parsed as `value`; nil for infinities and NaN.
    public init?(_ value: Double) {
      guard value.isFinite else { return nil }
      text = value.description
    }

    /// The value if it is a 32-bit integer in any notation, such as `1.0` and `1e2`.
    public var int32: Int32? { int64.flatMap(Int32.init(exactly:)) }

    /// The value if it is a 64-bit integer in any notation, such as `1.0` and `1e2`.
    public var int64: Int64? { withText { $0.int64 } }

    /// The nearest `Double`, nil when the value is beyond the largest finite one.
    public var double: Double? { withText { $0.double } }

    public var description: String { text }

    // Safe: the string keeps its bytes valid during the call, and so do the objects that use them.
    private func withText<T>(_ body: (NumberText) -> T) -> T {
      var text = text
      return text.withUTF8 { unsafe body(NumberText($0)) }
    }
  }
}
