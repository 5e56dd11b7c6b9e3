extension TapeBuilder {
  /// Reads `true`, `false` or `null`, given as a little-endian number.
  @inline(__always)
  mutating func literal(_ text: UInt64, length: Int, _ kind: JSONKind) throws(ParseFailure) {
    let mask: UInt64 = (1 &<< UInt64(length &* 8)) &- 1
    let difference = unsafe (WordScan.load(cursor) ^ text) & mask
    guard difference == 0 else {
      unsafe cursor += WordScan.firstByte(difference)
      throw failure(.expectedValue)
    }
    unsafe append(TapeWord(kind, length: length, offset: cursor - base))
    unsafe cursor += length
  }

  /// Reads a number (RFC 8259, section 6). Its text stays in place until asked for.
  @inline(__always)
  mutating func number() throws(ParseFailure) {
    let start = unsafe cursor
    var flags: UInt64 = 0
    if unsafe cursor.pointee == Byte.minus { unsafe cursor += 1 }
    if unsafe cursor.pointee == Byte.zero {
      unsafe cursor += 1
      if unsafe Byte.isDigit(cursor.pointee) { throw failure(.leadingZero) }
    } else {
      try digits()
    }
    if unsafe cursor.pointee == Byte.period {
      flags = TapeWord.fractionFlag
      unsafe cursor += 1
      try digits()
    }
    if unsafe cursor.pointee | 0x20 == Byte.e {
      flags = TapeWord.fractionFlag
      unsafe cursor += 1
      if unsafe cursor.pointee == Byte.plus || cursor.pointee == Byte.minus { unsafe cursor += 1 }
      try digits()
    }
    unsafe append(TapeWord(.number, flags: flags, length: cursor - start, offset: start - base))
  }

  /// Reads one or more digits.
  @inline(__always)
  private mutating func digits() throws(ParseFailure) {
    guard unsafe Byte.isDigit(cursor.pointee) else { throw failure(.missingDigit) }
    repeat { unsafe cursor += 1 } while unsafe Byte.isDigit(cursor.pointee)
  }
}
