/// A document's words and text as two pointers, for operations on every value of a response.
///
/// Through the document, each step costs two bounds checks and often a retain. Without them,
/// together with ``JSONKey``, the check of a response improved from 4.9 to 0.5 ms per MB.
///
/// The user keeps the ``JSONDocument`` alive, and passes only indexes that come from the tape:
/// neither is checked.
// Safe: the arrays of a document are constants, so they do not move or change.
@usableFromInline
@unsafe package struct JSONTape: @unchecked Sendable {
  @usableFromInline let words: UnsafePointer<TapeWord>
  @usableFromInline let text: UnsafePointer<UInt8>

  @inlinable @inline(__always)
  init(words: UnsafePointer<TapeWord>, text: UnsafePointer<UInt8>) {
    unsafe self.words = words
    unsafe self.text = text
  }

  @inlinable @inline(__always)
  package func kind(at index: Int) -> JSONKind { unsafe words[index].kind }

  /// Whether the value at `index` has one of the kinds.
  @inlinable @inline(__always)
  package func isKind(at index: Int, of kinds: JSONKinds) -> Bool {
    unsafe kinds.bits &>> (words[index].bits &>> 61) & 1 == 1
  }

  /// The first element of an array, or the first key of an object.
  @inlinable @inline(__always)
  package func firstChild(of index: Int) -> Int { index &+ 2 }

  /// The number of elements or members of the array or object at `index`.
  @inlinable @inline(__always)
  package func count(at index: Int) -> Int { unsafe words[index].length }

  /// The index after the contents of the array or object at `index`.
  @inlinable @inline(__always)
  package func end(of index: Int) -> Int { unsafe words[index &+ 1].tapeEnd }

  /// The index after the whole value at `index`.
  @inlinable @inline(__always)
  package func next(after index: Int) -> Int {
    unsafe words[index].isContainer ? words[index &+ 1].tapeEnd : index &+ 1
  }

  /// The bytes of the value, or key, at `index` as they arrived, a string's with its quotes. Valid
  /// as long as the document lives.
  @inlinable @inline(__always)
  package func source(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let word = unsafe words[index]
    switch word.kind {
    case .null, .bool, .number: return unsafe contents(of: word)
    case .string:
      return unsafe UnsafeBufferPointer(start: text + (word.offset &- 1), count: word.length &+ 2)
    case .array, .object:
      let end = unsafe words[index &+ 1].sourceEnd
      return unsafe UnsafeBufferPointer(start: text + word.offset, count: end &- word.offset)
    }
  }

  /// Whether the number at `index` is an optional sign and digits, at most `length` in total.
  @inlinable @inline(__always)
  package func isPlainInteger(at index: Int, upTo length: Int) -> Bool {
    let word = unsafe words[index]
    return !word.hasFraction && word.length <= length
  }

  /// Whether the number at `index` has no exponent and is far from the largest `Double`.
  @inlinable @inline(__always)
  package func isPlainDecimal(at index: Int) -> Bool {
    let word = unsafe words[index]
    guard word.length <= 300 else { return false }
    guard word.hasFraction else { return true }
    var position = word.offset
    let end = position &+ word.length
    while position < end {
      if unsafe text[position] | 0x20 == UInt8(ascii: "e") { return false }
      position &+= 1
    }
    return true
  }

  /// Whether the key at `index` is `key`, written without escapes.
  @inlinable @inline(__always)
  package func matches(_ key: JSONKey, at index: Int) -> Bool {
    let word = unsafe words[index]
    // One comparison for the kind, the flags and the length.
    guard word.signature == key.signature else { return false }
    // A key is followed by its closing quote, a colon, a value, a bracket and the padding, so a
    // word can be loaded at each byte of the key.
    let start = unsafe UnsafeRawPointer(text + word.offset)
    guard unsafe (start.loadUnaligned(as: UInt64.self) ^ key.first) & key.firstMask == 0 else {
      return false
    }
    guard let second = key.second else { return true }
    let next = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    guard (next ^ second.word) & second.mask == 0 else { return false }
    guard let rest = unsafe key.rest else { return true }
    return unsafe JSONKey.isEqual(start + 16, UnsafeRawPointer(rest), word.length &- 16)
  }
}

// Safe: as above: the words at the indexes of values give the position of their bytes in the text.
extension JSONTape {
  /// The member `name` of the object at `object`, if keys are known to be unique; nil if there is
  /// none. The same result as ``JSONDocument/member(_:of:)``, in a fraction of the time.
  ///
  /// - Parameter hint: one of the object's keys, or its end, where the search starts.
  @inlinable @inline(__always)
  package func uniqueMember(_ name: StaticString, of object: Int, from hint: Int) -> Int? {
    // Inline, since nearly every search ends here.
    if let value = unsafe member(name, of: object, at: hint) { return value }
    return unsafe firstMember(name, hint, end(of: object)) ?? firstMember(name, object &+ 2, hint)
  }

  /// The member at `key`, one of the keys of the object at `object` or its end, if its key is
  /// `name`, written without escapes.
  @inlinable @inline(__always)
  package func member(_ name: StaticString, of object: Int, at key: Int) -> Int? {
    guard unsafe key < end(of: object), unsafe isPlainString(name, words[key]) else { return nil }
    return key &+ 1
  }

  /// The first member `name` among the keys from `start` up to `end`.
  @inlinable @inline(never)
  func firstMember(_ name: StaticString, _ start: Int, _ end: Int) -> Int? {
    var key = start
    while key < end {
      if unsafe isString(name, at: key) { return key &+ 1 }
      key = unsafe next(after: key &+ 1)
    }
    return nil
  }

  /// The same result as ``JSONDocument/member(_:of:)``.
  @inlinable
  package func lastMember(_ name: StaticString, of object: Int) -> Int? {
    let end = unsafe end(of: object)
    var found: Int?
    var key = object &+ 2
    while key < end {
      if unsafe isString(name, at: key) { found = key &+ 1 }
      key = unsafe next(after: key &+ 1)
    }
    return found
  }

  /// Whether the value, or key, at `index` is the string `text`.
  @inlinable @inline(__always)
  package func isString(_ text: StaticString, at index: Int) -> Bool {
    let word = unsafe words[index]
    if unsafe isPlainString(text, word) { return true }
    return unsafe word.kind == .string && word.hasEscapes && isEscaped(word, text)
  }

  /// Whether a value, or key, is the string `text`, written without escapes.
  @inlinable @inline(__always)
  func isPlainString(_ text: StaticString, _ word: TapeWord) -> Bool {
    let count = text.utf8CodeUnitCount
    return unsafe word.signature == TapeWord.signature(ofString: count)
      && JSONKey.isEqual(self.text + word.offset, text.utf8Start, count)
  }

  @usableFromInline @inline(never)
  func isEscaped(_ word: TapeWord, _ name: StaticString) -> Bool {
    let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return unsafe JSONDocument.escapedStringEquals(contents(of: word), name)
  }

  @inlinable @inline(__always)
  func contents(of word: TapeWord) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: text + word.offset, count: word.length)
  }

  /// The string at `index`, nil for another value.
  package func string(at index: Int) -> String? {
    let word = unsafe words[index]
    guard word.kind == .string else { return nil }
    return unsafe JSONDocument.string(contents(of: word), word)
  }

  /// Whether the value at `index` is a string without escapes.
  @inlinable @inline(__always)
  package func isPlainString(at index: Int) -> Bool { unsafe words[index].isUnescapedString }

  /// The string at `index`, which has no escapes.
  @inlinable @inline(__always)
  package func plainString(at index: Int) -> String {
    let word = unsafe words[index]
    return unsafe String(validUTF8: contents(of: word), isASCII: !word.hasNonASCII)
  }

  /// Whether the value at `index` is `true`, nil if it is neither `true` nor `false`.
  @inlinable @inline(__always)
  package func bool(at index: Int) -> Bool? {
    let word = unsafe words[index]
    return word.kind == .bool ? word.length == 4 : nil
  }

  /// The range of the value at `index` in the text, a string with its quotes.
  @inlinable
  package func sourceRange(at index: Int) -> Range<Int> {
    let source = unsafe source(at: index)
    let start = unsafe source.baseAddress.map { unsafe $0 - text } ?? 0
    return start..<start &+ source.count
  }

  /// The integer at `index` if it has few digits, as most do; nil for anything else.
  @inlinable @inline(__always)
  package func plainInteger(at index: Int) -> Int32? {
    let word = unsafe words[index]
    guard word.kind == .number, unsafe isPlainInteger(at: index, upTo: 9) else { return nil }
    var position = word.offset
    let end = position &+ word.length
    let isNegative = unsafe text[position] == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    var value: Int32 = 0
    while position < end {
      value = unsafe value &* 10 &+ Int32(text[position] &- UInt8(ascii: "0"))
      position &+= 1
    }
    return isNegative ? 0 &- value : value
  }

  /// The number at `index`, correctly rounded, if it has few digits and no exponent, as most do;
  /// nil for anything else.
  @inlinable
  package func plainDouble(at index: Int) -> Double? {
    let word = unsafe words[index]
    guard word.kind == .number, word.length <= 16 else { return nil }
    var position = word.offset
    let end = position &+ word.length
    let isNegative = unsafe text[position] == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    var significand: Int64 = 0
    var scale = 1.0
    var isFraction = false
    while position < end {
      let byte = unsafe text[position]
      position &+= 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      // After parsing, this is a digit, or the `e` or the sign of an exponent.
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      significand = significand &* 10 &+ Int64(digit)
      if isFraction { scale *= 10 }
    }
    // Both are exact, so the division rounds once and correctly (Clinger 1990).
    guard significand <= 1 &<< 53 else { return nil }
    let magnitude = Double(significand) / scale
    return isNegative ? -magnitude : magnitude
  }

  /// Calls `body` with the contents of the string, or with the text of the number, at `index`. Nil
  /// for other values, and for a string with escapes, whose contents do not occur in the text.
  @inlinable @inline(__always)
  package func withPlainText<T>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T?
  ) -> T? {
    let word = unsafe words[index]
    guard word.kind == .number || word.isUnescapedString else { return nil }
    return unsafe body(contents(of: word))
  }

  /// The same, only for strings.
  @inlinable @inline(__always)
  package func withPlainString<T>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T?
  ) -> T? {
    let word = unsafe words[index]
    guard word.isUnescapedString else { return nil }
    return unsafe body(contents(of: word))
  }
}

extension JSONDocument {
  /// The document's memory, valid as long as the document lives.
  // Safe: neither is empty: a document has a root, and a text its padding.
  package var memory: JSONTape {
    unsafe tape.withUnsafeBufferPointer { words in
      unsafe padded.withUnsafeBufferPointer { text in
        unsafe JSONTape(words: words.baseAddress!, text: text.baseAddress!)
      }
    }
  }
}
