extension TapeBuilder {
  /// Reads a string from its opening quote (RFC 8259, section 7), eight bytes at a time.
  @inline(__always)
  mutating func string() throws(ParseFailure) {
    let start = unsafe cursor + 1
    var flags: UInt64 = 0
    unsafe cursor = unsafe start
    while true {
      let hits = unsafe WordScan.stringHits(WordScan.load(cursor))
      if hits == 0 {
        unsafe cursor += 8
        continue
      }
      unsafe cursor += WordScan.firstByte(hits)
      if unsafe cursor.pointee == Byte.quote { break }
      let special = unsafe special(at: cursor)
      if let reason = special.failure {
        unsafe cursor = unsafe special.end
        throw failure(reason)
      }
      flags |= special.flag
      unsafe cursor = unsafe special.end
    }
    unsafe append(TapeWord(.string, flags: flags, length: cursor - start, offset: start - base))
    unsafe cursor += 1
  }

  /// What stands in a string besides plain ASCII. A value, so that ``string()`` keeps the builder
  /// in registers.
  private struct Special {
    /// The byte after it, or the byte at fault.
    let end: UnsafePointer<UInt8>
    let flag: UInt64
    let failure: ParseFailure.Reason?

    init(end: UnsafePointer<UInt8>, flag: UInt64) {
      unsafe self.end = unsafe end
      self.flag = flag
      failure = nil
    }

    init(at end: UnsafePointer<UInt8>, failure: ParseFailure.Reason) {
      unsafe self.end = unsafe end
      flag = 0
      self.failure = failure
    }
  }

  @inline(never)
  private func special(at start: UnsafePointer<UInt8>) -> Special {
    let byte = unsafe start.pointee
    if byte >= 0x80 {
      var cursor = unsafe start
      repeat {
        let length = unsafe UTF8Sequence.length(at: cursor)
        guard length > 0 else { return unsafe Special(at: cursor, failure: .invalidUTF8) }
        unsafe cursor += length
      } while unsafe cursor.pointee >= 0x80
      return unsafe Special(end: cursor, flag: TapeWord.nonASCIIFlag)
    }
    if byte == Byte.backslash { return unsafe escape(at: start) }
    return unsafe Special(
      at: start, failure: start == end ? .unterminatedString : .controlCharacter)
  }

  private func escape(at start: UnsafePointer<UInt8>) -> Special {
    switch unsafe start[1] {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.b, Byte.f, Byte.n, Byte.r, Byte.t:
      return unsafe Special(end: start + 2, flag: TapeWord.escapeFlag)
    case Byte.u:
      guard let unit = unsafe Escape.codeUnit(at: start) else {
        return unsafe Special(at: start, failure: .invalidUnicodeEscape)
      }
      guard unit & 0xF800 == 0xD800 else {
        return unsafe Special(end: start + 6, flag: TapeWord.escapeFlag)
      }
      guard unit < 0xDC00, let low = unsafe Escape.codeUnit(at: start + 6), low & 0xFC00 == 0xDC00
      else {
        return unsafe Special(at: start, failure: .loneSurrogate)
      }
      return unsafe Special(end: start + 12, flag: TapeWord.escapeFlag)
    default:
      return unsafe Special(at: start + 1, failure: .invalidEscape)
    }
  }
}
