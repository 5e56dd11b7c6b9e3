// Safe: borrowed bytes are used only during the call; the parser has checked the positions of keys.
extension JSONDocument {
  /// The value of the member `name` of the object at `object`, nil if there is none. If several
  /// members have that key, the last one.
  ///
  /// The name is compared by its bytes after escapes are resolved, without Unicode normalisation.
  /// Takes time in proportion to the number of members.
  @inlinable
  public func member(_ name: StaticString, of object: Int) -> Int? {
    name.withUTF8Buffer { unsafe member($0, of: object) }
  }

  /// The value of the member `name` of the object at `object`; see the other form.
  ///
  /// Disfavoured so that a literal uses the form for `StaticString`, which creates no string.
  @inlinable @_disfavoredOverload
  public func member(_ name: some StringProtocol, of object: Int) -> Int? {
    if let found = name.utf8.withContiguousStorageIfAvailable({ unsafe member($0, of: object) }) {
      return found
    }
    return unsafe ContiguousArray(name.utf8).withUnsafeBufferPointer {
      unsafe member($0, of: object)
    }
  }

  /// The value of the member with the UTF-8 `name` of the object at `object`; see the other form.
  @inlinable
  public func member(_ name: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
    precondition(tape[object].kind == .object, "member(_:of:) requires an object")
    let end = tape[object + 1].tapeEnd
    // A key of another length differs in its word alone, which most keys do.
    let mask = ~(TapeWord.nonASCIIFlag | TapeWord(.null, length: 0, offset: 0x3FFF_FFFF).bits)
    let plain = TapeWord(.string, length: name.count, offset: 0).bits & mask
    var found: Int?
    var key = object + 2
    while key < end {
      let word = tape[key]
      if word.bits & mask == plain || word.hasEscapes, unsafe stringEquals(key, name) {
        found = key + 1
      }
      key = next(after: key + 1)
    }
    return found
  }

  /// Whether the string, or key, at `index` has exactly the UTF-8 bytes `bytes` after its escapes
  /// are resolved. False for a value that is not a string.
  @inlinable
  public func stringEquals(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let word = tape[index]
    guard word.kind == .string else { return false }
    if word.hasEscapes { return unsafe escapedStringEquals(word, bytes) }
    guard word.length == bytes.count else { return false }
    return unsafe padded.withUnsafeBufferPointer { padded in
      var index = 0
      while index < bytes.count {
        if unsafe padded[word.offset &+ index] != bytes[index] { return false }
        index &+= 1
      }
      return true
    }
  }

  /// The value of the member with the UTF-8 `name` of the object at `object`; see the other form.
  @inlinable
  package func member(_ name: [UInt8], of object: Int) -> Int? {
    unsafe name.withUnsafeBufferPointer { unsafe member($0, of: object) }
  }

  /// Whether the string, or key, at `index` has exactly the UTF-8 bytes `bytes`; see the other form.
  @inlinable
  package func stringEquals(_ index: Int, _ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe stringEquals(index, $0) }
  }

  /// The slow path: keys with escapes are rare.
  @usableFromInline
  func escapedStringEquals(_ word: TapeWord, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe withContents(of: word) { unsafe JSONDocument.escapedStringEquals($0, bytes) }
  }

  static func escapedStringEquals(
    _ contents: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // An escape takes two to six times the bytes of its character.
    guard bytes.count < contents.count, bytes.count * 6 >= contents.count else { return false }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: contents.count) {
      scratch in
      let count = unsafe Escape.decode(contents, into: scratch.baseAddress!)
      return unsafe count == bytes.count && scratch.prefix(count).elementsEqual(bytes)
    }
  }
}

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
  @inlinable @inline(__always)
  package init(validUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      unsafe self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
    } else {
      unsafe self.init(decoding: bytes, as: UTF8.self)
    }
  }
}
