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
  @usableFromInline package let words: UnsafePointer<TapeWord>
  @usableFromInline package let text: UnsafePointer<UInt8>

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

/// One value of a document, for tools that navigate values instead of indexes.
///
/// ```swift
/// let root = try JSONDocument(parsing: bytes).root
/// let name = root["data"]?["__schema"]?["queryType"]?["name"]?.string
/// ```
public struct JSONNode: Sendable {
  /// The document of the value.
  public let document: JSONDocument
  /// The value's tape index.
  public let index: Int

  /// The value, or key, at `index` of `document`.
  public init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// The value's kind.
  public var kind: JSONKind { document.kind(at: index) }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The value if it is `true` or `false`, nil otherwise.
  public var bool: Bool? { kind == .bool ? document.bool(at: index) : nil }

  /// The value if it is a string, nil otherwise.
  public var string: String? { kind == .string ? document.string(at: index) : nil }

  /// The value if it is a number that is an integer and fits, nil otherwise; `1.0` and `1e2` are.
  public var int: Int? {
    kind == .number ? document.int64(at: index).flatMap(Int.init(exactly:)) : nil
  }

  /// The nearest `Double` if the value is a number, nil otherwise and beyond the largest one.
  public var double: Double? { kind == .number ? document.double(at: index) : nil }

  /// The value as a tree.
  public var json: JSON { document.json(at: index) }

  /// The position of the value's start in the text. Reads the text up to there.
  public var position: JSONPosition { document.position(at: index) }

  /// The line of the value, counted from 1.
  public var line: Int { position.line }

  /// The column of the value in Unicode scalars, counted from 1.
  public var column: Int { position.column }

  /// The member `key` of an object, the last one of duplicates; nil if there is none, or the value
  /// is not an object.
  public subscript(key: StaticString) -> JSONNode? {
    guard kind == .object else { return nil }
    return document.member(key, of: index).map { JSONNode(document: document, index: $0) }
  }

  /// The member `key` of an object; see the other form, which literals use.
  @_disfavoredOverload
  public subscript(key: String) -> JSONNode? {
    guard kind == .object else { return nil }
    return document.member(key, of: index).map { JSONNode(document: document, index: $0) }
  }

  /// The elements if the value is an array, nil otherwise.
  public var array: [JSONNode]? {
    guard kind == .array else { return nil }
    var elements: [JSONNode] = []
    elements.reserveCapacity(document.count(at: index))
    var child = document.firstChild(of: index)
    let end = document.end(of: index)
    while child < end {
      elements.append(JSONNode(document: document, index: child))
      child = document.next(after: child)
    }
    return elements
  }

  /// A member of an object.
  public struct Member: Sendable {
    /// The key with its escapes resolved.
    public let key: String
    /// The key's own node, for diagnostics.
    public let keyNode: JSONNode
    /// The member's value.
    public let value: JSONNode
  }

  /// The keys of an object that it has already had, in order. They are empty for other values.
  package var repeatedKeys: [JSONNode] {
    guard kind == .object else { return [] }
    var repeated: [JSONNode] = []
    var keys: Set<ExactKey> = []
    var child = document.firstChild(of: index)
    let end = document.end(of: index)
    while child < end {
      if !keys.insert(ExactKey(document.string(at: child))).inserted {
        repeated.append(JSONNode(document: document, index: child))
      }
      child = document.next(after: document.next(after: child))
    }
    return repeated
  }

  /// The members in order if the value is an object, nil otherwise. For members with the same key,
  /// only the last value, at the position of the first.
  public var members: [Member]? {
    guard kind == .object else { return nil }
    var members: [Member] = []
    var places: [ExactKey: Int] = [:]
    members.reserveCapacity(document.count(at: index))
    places.reserveCapacity(document.count(at: index))
    var child = document.firstChild(of: index)
    let end = document.end(of: index)
    while child < end {
      let key = document.string(at: child)
      let value = document.next(after: child)
      let member = Member(
        key: key, keyNode: JSONNode(document: document, index: child),
        value: JSONNode(document: document, index: value))
      let place = places[ExactKey(key), default: members.count]
      if place < members.count {
        members[place] = member
      } else {
        places[ExactKey(key)] = place
        members.append(member)
      }
      child = document.next(after: value)
    }
    return members
  }
}

extension JSONDocument {
  /// The root value.
  public var root: JSONNode { JSONNode(document: self, index: JSONDocument.rootIndex) }
}

/// A key that is expected in many objects, stored so that it is compared in a few instructions: see
/// ``JSONTape/matches(_:at:)``.
///
/// The creator must call ``deallocate()`` when it is no longer used.
// Safe: its memory has the bytes from the seventeenth on, and is not written after it is created.
@usableFromInline
@safe package struct JSONKey: BitwiseCopyable {
  /// A part of the tape word of such a key.
  @usableFromInline let signature: UInt64
  @usableFromInline let first: UInt64
  @usableFromInline let firstMask: UInt64
  /// The ninth to the sixteenth byte.
  @usableFromInline let second: (word: UInt64, mask: UInt64)?
  /// The bytes from the seventeenth on.
  @usableFromInline let rest: UnsafeMutablePointer<UInt8>?

  /// - Parameter name: ASCII.
  package init(_ name: [UInt8]) {
    signature = TapeWord.signature(ofString: name.count)
    (first, firstMask) = JSONKey.word(name.prefix(8))
    second = name.count > 8 ? JSONKey.word(name[8...].prefix(8)) : nil
    if name.count > 16 {
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count - 16)
      _ = unsafe bytes.initialize(from: name[16...])
      unsafe rest = bytes.baseAddress
    } else {
      unsafe rest = nil
    }
  }

  // Safe: not for a key that is used again, or a copy of it; the creator of the key ensures that.
  @unsafe package func deallocate() { unsafe rest?.deallocate() }

  /// Up to eight bytes in memory order, and a mask of that many.
  package static func word(_ bytes: ArraySlice<UInt8>) -> (UInt64, UInt64) {
    var word: UInt64 = 0
    var mask: UInt64 = 0
    for byte in bytes.reversed() {
      word = word &<< 8 | UInt64(byte)
      mask = mask &<< 8 | 0xFF
    }
    return (UInt64(littleEndian: word), UInt64(littleEndian: mask))
  }

  /// Compares `count` bytes by words that overlap at the end; `memcmp` needs a call, which takes
  /// longer than the comparison of a key.
  // Safe: the caller has `count` bytes at both addresses; words end with the last of them.
  @inlinable @inline(__always)
  package static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int)
    -> Bool
  {
    if count >= 8 {
      // Outside of the loop, since most keys end in the second word.
      guard unsafe isSame(left, right, 0, UInt64.self) else { return false }
      var offset = 8
      while offset &+ 8 < count {
        guard unsafe isSame(left, right, offset, UInt64.self) else { return false }
        offset &+= 8
      }
      return unsafe isSame(left, right, count &- 8, UInt64.self)
    }
    if count >= 4 {
      return unsafe isSame(left, right, 0, UInt32.self)
        && isSame(left, right, count &- 4, UInt32.self)
    }
    var offset = 0
    while offset < count {
      guard unsafe isSame(left, right, offset, UInt8.self) else { return false }
      offset &+= 1
    }
    return true
  }

  // Safe: `isEqual` passes offsets with a whole word before the end.
  @inlinable @inline(__always)
  static func isSame<Word: FixedWidthInteger & BitwiseCopyable>(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ offset: Int, _ type: Word.Type
  ) -> Bool {
    unsafe left.loadUnaligned(fromByteOffset: offset, as: Word.self)
      == right.loadUnaligned(fromByteOffset: offset, as: Word.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  // Safe: both have `count` bytes.
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return unsafe JSONKey.isEqual(mine, theirs, count)
  }
}
