extension TapeBuilder {
  /// Reads a string from its opening quote (RFC 8259, section 7), eight bytes at a time.
  @inline(__always)
  mutating func string() throws(ParseFailure) {
    let start = position &+ 1
    var flags: UInt64 = 0
    position = start
    while true {
      let hits = WordScan.stringHits(word)
      if hits == 0 {
        position &+= 8
        continue
      }
      position &+= WordScan.firstByte(hits)
      if byte == Byte.quote { break }
      let special = special(at: position)
      if let reason = special.failure {
        position = special.end
        throw failure(reason)
      }
      flags |= special.flag
      position = special.end
    }
    append(TapeWord(.string, flags: flags, length: position &- start, offset: start))
    position &+= 1
  }

  /// What stands in a string besides plain ASCII. A value, so that ``string()`` keeps the builder
  /// in registers.
  private struct Special {
    /// The byte after it, or the byte at fault.
    let end: Int
    let flag: UInt64
    let failure: ParseFailure.Reason?

    init(end: Int, flag: UInt64) {
      self.end = end
      self.flag = flag
      failure = nil
    }

    init(at end: Int, failure: ParseFailure.Reason) {
      self.end = end
      flag = 0
      self.failure = failure
    }
  }

  // Safe: a byte is read only behind one that is not zero, so never behind the padding’s first.
  @inline(never)
  private func special(at start: Int) -> Special {
    let byte = unsafe base[start]
    if byte >= 0x80 {
      var end = start
      repeat {
        let length = unsafe UTF8Sequence.length(at: base + end)
        guard length > 0 else { return Special(at: end, failure: .invalidUTF8) }
        end &+= length
      } while unsafe base[end] >= 0x80
      return Special(end: end, flag: TapeWord.nonASCIIFlag)
    }
    if byte == Byte.backslash { return escape(at: start) }
    return Special(
      at: start, failure: start == end ? .unterminatedString : .controlCharacter)
  }

  // Safe: as above; the backslash is not zero, and `codeUnit` stops where a byte does not fit.
  private func escape(at start: Int) -> Special {
    switch unsafe base[start &+ 1] {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.b, Byte.f, Byte.n, Byte.r, Byte.t:
      return Special(end: start &+ 2, flag: TapeWord.escapeFlag)
    case Byte.u:
      guard let unit = unsafe Escape.codeUnit(at: base + start) else {
        return Special(at: start, failure: .invalidUnicodeEscape)
      }
      guard unit & 0xF800 == 0xD800 else {
        return Special(end: start &+ 6, flag: TapeWord.escapeFlag)
      }
      guard unit < 0xDC00, let low = unsafe Escape.codeUnit(at: base + (start &+ 6)),
        low & 0xFC00 == 0xDC00
      else {
        return Special(at: start, failure: .loneSurrogate)
      }
      return Special(end: start &+ 12, flag: TapeWord.escapeFlag)
    default:
      return Special(at: start &+ 1, failure: .invalidEscape)
    }
  }
}
