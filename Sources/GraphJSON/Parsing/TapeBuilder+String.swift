extension TapeBuilder {
  /// Reads a string from its opening quote (RFC 8259, section 7), eight bytes at a time.
  @inline(__always)
  mutating func string() throws(ParseFailure) {
    let start = cursor + 1
    var flags: UInt64 = 0
    cursor = start
    while true {
      let hits = WordScan.stringHits(cursor.word)
      if hits == 0 {
        cursor += 8
        continue
      }
      cursor += WordScan.firstByte(hits)
      if cursor.byte == Byte.quote { break }
      let special = TapeBuilder.special(at: cursor, end: end)
      if let reason = special.failure {
        cursor = special.end
        throw failure(reason)
      }
      flags |= special.flag
      cursor = special.end
    }
    append(TapeWord(.string, flags: flags, length: cursor - start, offset: start - base))
    cursor += 1
  }

  /// What stands in a string besides plain ASCII. A value, so that ``string()`` keeps the builder
  /// in registers.
  private struct Special {
    /// The byte after it, or the byte at fault.
    let end: TextCursor
    let flag: UInt64
    let failure: ParseFailure.Reason?

    init(end: TextCursor, flag: UInt64) {
      self.end = end
      self.flag = flag
      failure = nil
    }

    init(at end: TextCursor, failure: ParseFailure.Reason) {
      self.end = end
      flag = 0
      self.failure = failure
    }
  }

  @inline(never)
  private static func special(at start: TextCursor, end: TextCursor) -> Special {
    let byte = start.byte
    if byte >= 0x80 {
      var cursor = start
      repeat {
        let length = UTF8Sequence.length(at: cursor)
        guard length > 0 else { return Special(at: cursor, failure: .invalidUTF8) }
        cursor += length
      } while cursor.byte >= 0x80
      return Special(end: cursor, flag: TapeWord.nonASCIIFlag)
    }
    if byte == Byte.backslash { return escape(at: start) }
    return Special(at: start, failure: start == end ? .unterminatedString : .controlCharacter)
  }

  private static func escape(at start: TextCursor) -> Special {
    switch (start + 1).byte {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.b, Byte.f, Byte.n, Byte.r, Byte.t:
      return Special(end: start + 2, flag: TapeWord.escapeFlag)
    case Byte.u:
      guard let unit = Escape.codeUnit(at: start) else {
        return Special(at: start, failure: .invalidUnicodeEscape)
      }
      guard unit & 0xF800 == 0xD800 else {
        return Special(end: start + 6, flag: TapeWord.escapeFlag)
      }
      guard unit < 0xDC00, let low = Escape.codeUnit(at: start + 6), low & 0xFC00 == 0xDC00 else {
        return Special(at: start, failure: .loneSurrogate)
      }
      return Special(end: start + 12, flag: TapeWord.escapeFlag)
    default:
      return Special(at: start + 1, failure: .invalidEscape)
    }
  }
}
