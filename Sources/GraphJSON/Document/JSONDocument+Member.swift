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
