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
