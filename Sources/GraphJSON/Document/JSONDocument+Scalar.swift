// Safe: a word gives the position of its contents in the text, which the parser has checked.
extension JSONDocument {
  /// The string, or key, at `index`, with its escapes resolved.
  public func string(at index: Int) -> String {
    let word = tape[index]
    precondition(word.kind == .string, "string(at:) requires a string")
    return unsafe withContents(of: word) { unsafe JSONDocument.string($0, word) }
  }

  /// The string with the contents `contents`, whose tape word is `word`.
  // Safe: without its escapes a string is no longer than with them.
  @inline(__always)
  static func string(_ contents: UnsafeBufferPointer<UInt8>, _ word: TapeWord) -> String {
    guard word.hasEscapes else {
      return unsafe String(validUTF8: contents, isASCII: !word.hasNonASCII)
    }
    return unsafe String(unsafeUninitializedCapacity: contents.count) { output in
      unsafe Escape.decode(contents, into: output.baseAddress!)
    }
  }

  /// Whether the value at `index` is `true`.
  @inlinable
  public func bool(at index: Int) -> Bool {
    let word = tape[index]
    precondition(word.kind == .bool, "bool(at:) requires true or false")
    return word.length == 4
  }

  /// The text of the number at `index`.
  public func numberText(at index: Int) -> String {
    unsafe withNumber(at: index) { text, _ in unsafe String(validUTF8: text, isASCII: true) }
  }

  /// The number at `index`, nil if it is not an integer or does not fit 32 bits.
  ///
  /// The value counts, not the notation: `1.0`, `1e2` and `-0` are integers, exactly.
  public func int32(at index: Int) -> Int32? { int64(at: index).flatMap(Int32.init(exactly:)) }

  /// The number at `index`, nil if it is not an integer or does not fit 64 bits.
  ///
  /// The value counts, not the notation: `1.0`, `1e2` and `-0` are integers, exactly.
  public func int64(at index: Int) -> Int64? {
    unsafe withNumber(at: index) { text, word in
      unsafe word.hasFraction || word.length > 18
        ? NumberText(text).int64 : JSONDocument.plainInteger(text)
    }
  }

  /// The number at `index`, correctly rounded; nil if it is beyond the largest finite `Double`.
  public func double(at index: Int) -> Double? {
    unsafe withNumber(at: index) { text, _ in unsafe NumberText(text).double }
  }

  /// The value of a number with a sign and at most 18 digits, as nearly every integer is.
  // Safe: the index stays below the count, and a number’s text is not empty.
  private static func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64 {
    let isNegative = unsafe text[0] == Byte.minus
    var magnitude: Int64 = 0
    var index = isNegative ? 1 : 0
    while index < text.count {
      magnitude = unsafe magnitude &* 10 &+ Int64(text[index] &- Byte.zero)
      index += 1
    }
    return isNegative ? -magnitude : magnitude
  }

  private func withNumber<T>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>, TapeWord) -> T
  ) -> T {
    let word = tape[index]
    precondition(word.kind == .number, "the value is not a number")
    return unsafe withContents(of: word) { unsafe body($0, word) }
  }

  /// The bytes of a scalar, a string's without its quotes.
  func withContents<T>(of word: TapeWord, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    unsafe padded.withUnsafeBufferPointer {
      unsafe body(UnsafeBufferPointer(rebasing: $0[word.offset..<word.offset &+ word.length]))
    }
  }
}

extension String {
  /// Copies bytes that are known to be UTF-8, without checking them again if the platform allows
  /// it.
  // Safe: the parser has checked every byte of the source, and no token ends inside a sequence.
  init(validUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      unsafe self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
    } else {
      unsafe self.init(decoding: bytes, as: UTF8.self)
    }
  }
}
