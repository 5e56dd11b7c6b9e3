extension TapeBuilder {
  /// Reads a string from its opening quote (RFC 8259, section 7), eight bytes at a time.
  @inline(__always)
  mutating func string() throws(ParseFailure) {
    let start = cursor + 1
    var flags: UInt64 = 0
    cursor = TapeBuilder.endOfPlainRun(start)
    if cursor.byte != Byte.quote {
      let rest = TapeBuilder.rest(at: cursor, end: end)
      cursor = rest.end
      if let reason = rest.failure { throw failure(reason) }
      flags = rest.flags
    }
    append(TapeWord(.string, flags: flags, length: cursor - start, offset: start - base))
    cursor += 1
  }

  /// The next byte in a string that is not plain ASCII. Most strings are shorter than a word.
  @inline(__always)
  static func endOfPlainRun(_ start: TextCursor) -> TextCursor {
    var hits = WordScan.stringHits(start.word)
    if hits != 0 { return start + WordScan.firstByte(hits) }
    var cursor = start
    repeat {
      cursor += 8
      hits = WordScan.stringHits(cursor.word)
    } while hits == 0
    return cursor + WordScan.firstByte(hits)
  }

  /// The rest of a string from a byte on that is not plain ASCII. A value of a static function, so
  /// that ``string()`` keeps the builder in registers.
  struct Rest {
    /// The closing quote, or the byte at fault.
    var end: TextCursor
    var flags: UInt64 = 0
    var failure: ParseFailure.Reason?
  }

  @inline(never)
  static func rest(at start: TextCursor, end: TextCursor) -> Rest {
    var rest = Rest(end: start)
    while rest.end.byte != Byte.quote {
      let special = special(at: rest.end, end: end)
      rest.end = special.end
      rest.failure = special.failure
      if rest.failure != nil { break }
      rest.flags |= special.flag
      rest.end = endOfPlainRun(special.end)
    }
    return rest
  }

  /// The parts of a string other than plain ASCII.
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
