/// A document's words and text behind two pointers, for loops that visit every value of a response.
///
/// Through the document each step costs two bounds checks and often a retain; this took the check of
/// a response from 4.9 to 0.5 ms per MB, together with ``JSONKey``.
///
/// Unsafe by design, and why it holds: it is only handed out by ``JSONDocument/withTape(_:)``, whose
/// document keeps the memory, and indexes are what the tape itself leads to.
@usableFromInline
package struct JSONTape {
  @usableFromInline let words: UnsafePointer<TapeWord>
  @usableFromInline let text: UnsafePointer<UInt8>

  @inlinable @inline(__always)
  init(words: UnsafePointer<TapeWord>, text: UnsafePointer<UInt8>) {
    self.words = words
    self.text = text
  }

  @inlinable @inline(__always)
  package func kind(at index: Int) -> JSONKind { words[index].kind }

  /// The index after the contents of the array or object at `index`.
  @inlinable @inline(__always)
  package func end(of index: Int) -> Int { words[index &+ 1].tapeEnd }

  /// The index after the whole value at `index`.
  @inlinable @inline(__always)
  package func next(after index: Int) -> Int {
    words[index].isContainer ? words[index &+ 1].tapeEnd : index &+ 1
  }

  /// Whether the number at `index` is a sign and digits, not more than `length` in all.
  @inlinable @inline(__always)
  package func isPlainInteger(at index: Int, upTo length: Int) -> Bool {
    let word = words[index]
    return !word.hasFraction && word.length <= length
  }

  /// Whether the number at `index` has no exponent and is far from the largest `Double`.
  @inlinable @inline(__always)
  package func isPlainDecimal(at index: Int) -> Bool {
    let word = words[index]
    guard word.length <= 300 else { return false }
    guard word.hasFraction else { return true }
    var position = word.offset
    let end = position &+ word.length
    while position < end {
      if text[position] | 0x20 == UInt8(ascii: "e") { return false }
      position &+= 1
    }
    return true
  }

  /// Whether the key at `index` is `key`, written without escapes.
  @inlinable @inline(__always)
  package func matches(_ key: JSONKey, at index: Int) -> Bool {
    let word = words[index]
    // One comparison for the kind, the flags and the length.
    guard word.bits &>> 30 == key.signature else { return false }
    // A key is followed by its closing quote, a colon, a value, a bracket and the padding, so a word
    // can be loaded wherever one of its bytes is the key's.
    let start = UnsafeRawPointer(text + word.offset)
    guard (start.loadUnaligned(as: UInt64.self) ^ key.first) & key.firstMask == 0 else {
      return false
    }
    guard let second = key.second else { return true }
    let next = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    guard (next ^ second.word) & second.mask == 0 else { return false }
    guard let rest = key.rest else { return true }
    return JSONKey.isEqual(start + 16, UnsafeRawPointer(rest), word.length &- 16)
  }
}

extension JSONDocument {
  /// Calls `body` with the document's pointers, which are valid during the call only.
  @inlinable
  package func withTape<T, E: Error>(_ body: (JSONTape) throws(E) -> T) throws(E) -> T {
    try tape.withUnsafeBufferPointer { words throws(E) in
      try padded.withUnsafeBufferPointer { text throws(E) in
        // Neither is empty: a document has a root, and a text its padding.
        try body(JSONTape(words: words.baseAddress!, text: text.baseAddress!))
      }
    }
  }

  /// The first member `name` of the object at `object`, nil when there is none: what
  /// ``member(_:of:)`` finds where keys are known to be unique, in half the time.
  @inlinable
  package func firstMember(_ name: StaticString, of object: Int) -> Int? {
    precondition(name.hasPointerRepresentation && tape[object].kind == .object)
    let count = name.utf8CodeUnitCount
    let signature = TapeWord(.string, length: count, offset: 0).bits &>> 30
    return withTape { tape in
      let end = tape.end(of: object)
      var key = object &+ 2
      while key < end {
        let word = tape.words[key]
        if word.bits &>> 30 == signature {
          if JSONKey.isEqual(tape.text + word.offset, name.utf8Start, count) { return key &+ 1 }
        } else if word.hasEscapes,
          escapedStringEquals(word, UnsafeBufferPointer(start: name.utf8Start, count: count))
        {
          return key &+ 1
        }
        key = tape.next(after: key &+ 1)
      }
      return nil
    }
  }
}

extension JSONDocument {
  /// Calls `body` with the contents of the string, or with the text of the number, at `index`. Nil
  /// for other values, and for a string with escapes, whose contents are nowhere in the text.
  @inlinable
  package func withPlainText<T>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T?
  ) -> T? {
    let word = tape[index]
    guard word.kind == .number || word.kind == .string && !word.hasEscapes else { return nil }
    return padded.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[word.offset..<word.offset &+ word.length]))
    }
  }
}
