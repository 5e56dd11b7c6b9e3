extension TapeBuilder {
  /// Reads `true`, `false` or `null`, given as a little-endian number.
  @inline(__always)
  mutating func literal(_ text: UInt64, length: Int, _ kind: JSONKind) throws(ParseFailure) {
    let mask: UInt64 = (1 &<< UInt64(length &* 8)) &- 1
    let difference = (cursor.word ^ text) & mask
    guard difference == 0 else {
      cursor += WordScan.firstByte(difference)
      throw failure(.expectedValue)
    }
    append(TapeWord(kind, length: length, offset: cursor - base))
    cursor += length
  }

  /// Reads a number (RFC 8259, section 6). Its text is not decoded yet.
  @inline(__always)
  mutating func number() throws(ParseFailure) {
    let start = cursor
    var flags: UInt64 = 0
    if cursor.byte == Byte.minus { cursor += 1 }
    if cursor.byte == Byte.zero {
      cursor += 1
      if Byte.isDigit(cursor.byte) { throw failure(.leadingZero) }
    } else {
      try digits()
    }
    if cursor.byte == Byte.period {
      flags = TapeWord.fractionFlag
      cursor += 1
      try digits()
    }
    if cursor.byte | 0x20 == Byte.e {
      flags = TapeWord.fractionFlag
      cursor += 1
      if cursor.byte == Byte.plus || cursor.byte == Byte.minus { cursor += 1 }
      try digits()
    }
    append(TapeWord(.number, flags: flags, length: cursor - start, offset: start - base))
  }

  /// Reads one or more digits.
  @inline(__always)
  private mutating func digits() throws(ParseFailure) {
    guard Byte.isDigit(cursor.byte) else { throw failure(.missingDigit) }
    repeat { cursor += 1 } while Byte.isDigit(cursor.byte)
  }
}
