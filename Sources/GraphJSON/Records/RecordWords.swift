/// Records under construction: words like those of a tape, but with a fixed place for each value.
///
/// A record has a header and then one word, a slot, for each expected value:
///
/// | slot | contents |
/// |---|---|
/// | no value | zero |
/// | a part of the object that has not arrived | null, not zero |
/// | null, bool, number, string | the word of the tape |
/// | array or object that is kept as it is | its kind and the index of a copy of its tape |
/// | record | ``TapeWord/linkFlag``, object, and the index of its header |
/// | list of records | ``TapeWord/linkFlag``, array, and the index of a block |
///
/// A block is laid out like an array on a tape; its elements are slots. The header has the number of slots
/// and the offset of the object in the text.
package struct RecordWords {
  private var words: [TapeWord] = []

  /// - Parameter capacity: the expected number of words.
  package init(capacity: Int) { words.reserveCapacity(capacity) }

  package var count: Int { words.count }

  /// Adds slots without a value, and returns the index of the first one.
  package mutating func reserve(_ count: Int) -> Int {
    let start = words.count
    words.append(contentsOf: repeatElement(TapeWord(bits: 0), count: count))
    return start
  }

  /// Sets the header of a record.
  ///
  /// - Parameters:
  ///   - object: the object at this index of the tape.
  package mutating func setHeader(
    _ index: Int, slotCount: Int, of object: Int, in document: JSONDocument
  ) {
    words[index] = TapeWord(.object, length: slotCount, offset: document.tape[object].offset)
  }

  /// Sets a slot to the record with the header at `record`.
  package mutating func link(_ slot: Int, toRecord record: Int) {
    words[slot] = .link(to: record)
  }

  /// Adds a block for the list at `list` of the tape, sets a slot to it, and returns the index of its
  /// first element.
  package mutating func addBlock(_ slot: Int, for list: Int, in document: JSONDocument) -> Int {
    let source = document.tape[list]
    let block = reserve(2 + source.length)
    words[block] = TapeWord(.array, length: source.length, offset: source.offset)
    words[block + 1] = TapeWord(
      tapeEnd: words.count, sourceEnd: document.tape[list + 1].sourceEnd)
    words[slot] = TapeWord(
      .array, flags: TapeWord.linkFlag, length: source.length, offset: block)
    return block + 2
  }

  /// Sets a slot to the value at `value` of the tape as it is.
  package mutating func copy(_ value: Int, of document: JSONDocument, to slot: Int) {
    let word = document.tape[value]
    guard word.isContainer else {
      words[slot] = word
      return
    }
    let end = document.tape[value + 1].tapeEnd
    let start = words.count
    words.append(contentsOf: document.tape[value..<end])
    var index = start
    while index < words.count {
      if words[index].isContainer {
        let second = words[index + 1]
        words[index + 1] = TapeWord(
          tapeEnd: second.tapeEnd - value + start, sourceEnd: second.sourceEnd)
        index += 2
      } else {
        index += 1
      }
    }
    words[slot] = TapeWord(word.kind, length: word.length, offset: start)
  }

  /// Sets a slot to what another one has.
  package mutating func copySlot(_ other: Int, to slot: Int) { words[slot] = words[other] }

  /// Marks a slot whose record has not arrived. Otherwise it reads like one without a value.
  package mutating func setMissing(_ slot: Int) {
    words[slot] = TapeWord(.null, length: 1, offset: 0)
  }

  /// The records over the text of `document`, as a document whose indexes are those of the records.
  package consuming func finish(_ document: JSONDocument) -> JSONDocument {
    JSONDocument(words: words, padded: document.padded)
  }
}

extension TapeWord {
  /// In records, the mark of a slot that leads to a record or to a list of records.
  @inlinable static var linkFlag: UInt64 { 1 &<< 60 }

  /// A slot that leads to the record with the header at `record`.
  @inline(__always)
  static func link(to record: Int) -> TapeWord {
    TapeWord(.object, flags: linkFlag, length: 0, offset: record)
  }
}

// Safe: the user passes only indexes of slots, as for the indexes of a tape.
extension JSONTape {
  /// The record, block or copy to which a slot leads.
  @inlinable @inline(__always)
  package func place(ofSlot slot: Int) -> Int { unsafe words[slot].offset }

  /// Whether a slot has neither a record nor another value than null.
  @inlinable @inline(__always)
  package func isEmpty(slot: Int) -> Bool { unsafe words[slot].kind == .null }

  /// Whether a slot is for a part of the object that has not arrived.
  package func isMissing(slot: Int) -> Bool {
    unsafe isEmpty(slot: slot) && words[slot].bits != 0
  }

  /// Where the object of a record begins in the text.
  package func offset(ofRecord record: Int) -> Int { unsafe words[record].offset }

  /// Whether a slot leads to a record.
  @inlinable @inline(__always)
  package func isRecord(slot: Int) -> Bool {
    unsafe words[slot].bits &>> 60 == UInt64(JSONKind.object.rawValue) &<< 1 | 1
  }

  /// Whether a slot leads to a list of records.
  @inlinable @inline(__always)
  package func isList(slot: Int) -> Bool {
    unsafe words[slot].bits &>> 60 == UInt64(JSONKind.array.rawValue) &<< 1 | 1
  }

  /// Whether a slot leads to a record or to a list of records.
  @inlinable @inline(__always)
  package func isLink(slot: Int) -> Bool {
    unsafe words[slot].isContainer && words[slot].bits & TapeWord.linkFlag != 0
  }

  /// The index of the value of a slot that is not a link: its own, or that of the copy of a tape.
  @inlinable @inline(__always)
  package func value(ofSlot slot: Int) -> Int {
    unsafe words[slot].isContainer ? words[slot].offset : slot
  }

  /// The number of slots of the record with the header at `record`.
  @inlinable @inline(__always)
  package func slotCount(ofRecord record: Int) -> Int { unsafe words[record].length }

  /// The text of the object of which the header at `record` is the beginning. It was parsed before, so that its
  /// brackets match.
  package func text(ofRecord record: Int) -> String {
    let start = unsafe text + words[record].offset
    var end = unsafe start
    var depth = 0
    var isInString = false
    repeat {
      switch unsafe end.pointee {
      case Byte.backslash: unsafe end += 1
      case Byte.quote: isInString.toggle()
      case Byte.openBrace where !isInString: depth += 1
      case Byte.closeBrace where !isInString: depth -= 1
      default: break
      }
      unsafe end += 1
    } while depth > 0
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
  }

  /// Whether two slots of scalars have the same text.
  package func hasSameText(_ slot: Int, _ other: JSONTape, _ otherSlot: Int) -> Bool {
    let (left, right) = unsafe (source(at: slot), other.source(at: otherSlot))
    guard left.count == right.count else { return false }
    guard let start = left.baseAddress, let otherStart = right.baseAddress else {
      return true
    }
    return unsafe JSONKey.isEqual(start, otherStart, left.count)
  }
}
