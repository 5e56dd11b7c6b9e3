/// A document's words and text as two pointers, for operations on every value of a response.
///
/// Through the document, each step costs two bounds checks and often a retain. Without them,
/// together with GraphQLRuntime's `JSONKey`, the check of a response improved from 4.9 to 0.5 ms per MB.
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
}

// Safe: as above: the words at the indexes of values give the position of their bytes in the text.
extension JSONTape {
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
  package func isPlainString(_ text: StaticString, _ word: TapeWord) -> Bool {
    let count = text.utf8CodeUnitCount
    return unsafe word.signature == TapeWord.signature(ofString: count)
      && WordScan.isEqual(self.text + word.offset, text.utf8Start, count)
  }

  @usableFromInline @inline(never)
  func isEscaped(_ word: TapeWord, _ name: StaticString) -> Bool {
    let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return unsafe JSONDocument.escapedStringEquals(contents(of: word), name)
  }

  @inlinable @inline(__always)
  package func contents(of word: TapeWord) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: text + word.offset, count: word.length)
  }

  /// The string at `index`, nil for another value.
  package func string(at index: Int) -> String? {
    let word = unsafe words[index]
    guard word.kind == .string else { return nil }
    return unsafe JSONDocument.string(contents(of: word), word)
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

extension UnsafeBufferPointer<UInt8> {
  // Safe: both have `count` bytes.
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return unsafe WordScan.isEqual(mine, theirs, count)
  }
}
