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

/// Escapes in strings (RFC 8259, section 7).
enum Escape {
  /// The UTF-16 code unit of the `\uXXXX` at `place`, nil if there is something else. Reads no byte
  /// after the first one that does not fit.
  static func codeUnit(at place: TextCursor) -> UInt32? {
    guard place.byte == Byte.backslash, (place + 1).byte == Byte.u else { return nil }
    var unit: UInt32 = 0
    for index in 2..<6 {
      guard let digit = Byte.hexValue((place + index).byte) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  /// Writes the contents of a string that the parser accepted, without escapes, to `output`.
  ///
  /// An escape is never shorter than its character in UTF-8 (`\u20AC` is six bytes, `€` three), so
  /// `output` needs no more space than `source`. Returns the number of bytes written.
  // Safe: the parser accepted the escapes, so none is truncated; `output` has space for all of
  // `source`.
  static func decode(
    _ source: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard var input = source.baseAddress else { return 0 }
    let end = unsafe input + source.count
    var out = unsafe output
    while unsafe input < end {
      let byte = unsafe input.pointee
      if byte != Byte.backslash {
        unsafe out.pointee = byte
        unsafe input += 1
        unsafe out += 1
      } else if let unit = unsafe codeUnit(at: TextCursor(input)) {
        unsafe input += 6
        var scalar = unit
        if unit & 0xFC00 == 0xD800, let low = unsafe codeUnit(at: TextCursor(input)) {
          unsafe input += 6
          scalar = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
        }
        unsafe out = encode(scalar, into: out)
      } else {
        unsafe out.pointee = simple(input[1])
        unsafe input += 2
        unsafe out += 1
      }
    }
    return unsafe out - output
  }

  /// The character of a two-byte escape, by its second byte.
  private static func simple(_ letter: UInt8) -> UInt8 {
    switch letter {
    case Byte.b: Byte.backspace
    case Byte.f: Byte.formFeed
    case Byte.n: Byte.newline
    case Byte.r: Byte.carriageReturn
    case Byte.t: Byte.tab
    default: letter
    }
  }

  // Safe: an escape leaves space for its character, at most four bytes.
  private static func encode(
    _ scalar: UInt32, into output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(scalar >> shift & 0x3F) | 0x80 }
    switch scalar {
    case ..<0x80:
      unsafe output[0] = UInt8(scalar)
      return unsafe output + 1
    case ..<0x800:
      unsafe output[0] = UInt8(scalar >> 6) | 0xC0
      unsafe output[1] = tail(0)
      return unsafe output + 2
    case ..<0x10000:
      unsafe output[0] = UInt8(scalar >> 12) | 0xE0
      unsafe output[1] = tail(6)
      unsafe output[2] = tail(0)
      return unsafe output + 3
    default:
      unsafe output[0] = UInt8(scalar >> 18) | 0xF0
      unsafe output[1] = tail(12)
      unsafe output[2] = tail(6)
      unsafe output[3] = tail(0)
      return unsafe output + 4
    }
  }
}

/// Well-formed multi-byte sequences of UTF-8 (RFC 3629, section 4).
enum UTF8Sequence {
  /// The length of the sequence that starts at `place` with a byte of 0x80 or more, 0 if it is
  /// ill-formed: overlong, a surrogate, beyond U+10FFFF, or truncated by a byte that is not a
  /// continuation. Reads no byte after the first one that does not fit.
  @inline(__always)
  static func length(at place: TextCursor) -> Int {
    let lead = place.byte
    if lead < 0xE0 {
      return lead >= 0xC2 && isContinuation((place + 1).byte) ? 2 : 0
    }
    let second = (place + 1).byte
    if lead < 0xF0 {
      let lowest: UInt8 = lead == 0xE0 ? 0xA0 : 0x80
      let highest: UInt8 = lead == 0xED ? 0x9F : 0xBF
      guard second >= lowest, second <= highest, isContinuation((place + 2).byte) else { return 0 }
      return 3
    }
    let lowest: UInt8 = lead == 0xF0 ? 0x90 : 0x80
    let highest: UInt8 = lead == 0xF4 ? 0x8F : 0xBF
    guard lead <= 0xF4, second >= lowest, second <= highest, isContinuation((place + 2).byte),
      isContinuation((place + 3).byte)
    else { return 0 }
    return 4
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
