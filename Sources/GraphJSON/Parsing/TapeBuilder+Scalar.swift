extension TapeBuilder {
  /// Reads `true`, `false` or `null`, given as a little-endian number.
  @inline(__always)
  mutating func literal(_ text: UInt64, length: Int, _ kind: JSONKind) throws(ParseFailure) {
    let mask: UInt64 = (1 &<< UInt64(length &* 8)) &- 1
    let difference = (word ^ text) & mask
    guard difference == 0 else {
      position &+= WordScan.firstByte(difference)
      throw failure(.expectedValue)
    }
    append(TapeWord(kind, length: length, offset: position))
    position &+= length
  }

  /// Reads a number (RFC 8259, section 6). Its text stays in place until asked for.
  @inline(__always)
  mutating func number() throws(ParseFailure) {
    let start = position
    var flags: UInt64 = 0
    if byte == Byte.minus { position &+= 1 }
    if byte == Byte.zero {
      position &+= 1
      if Byte.isDigit(byte) { throw failure(.leadingZero) }
    } else {
      try digits()
    }
    if byte == Byte.period {
      flags = TapeWord.fractionFlag
      position &+= 1
      try digits()
    }
    if byte | 0x20 == Byte.e {
      flags = TapeWord.fractionFlag
      position &+= 1
      if byte == Byte.plus || byte == Byte.minus { position &+= 1 }
      try digits()
    }
    append(TapeWord(.number, flags: flags, length: position &- start, offset: start))
  }

  /// Reads one or more digits.
  @inline(__always)
  private mutating func digits() throws(ParseFailure) {
    guard Byte.isDigit(byte) else { throw failure(.missingDigit) }
    repeat { position &+= 1 } while Byte.isDigit(byte)
  }
}
