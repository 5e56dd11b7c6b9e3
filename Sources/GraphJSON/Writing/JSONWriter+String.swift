extension JSONWriter {
  /// Appends `value` in quotes. Escapes only what RFC 8259, section 7 requires: quotes, backslashes
  /// and control characters below U+0020, in their short form if there is one.
  mutating func appendString(_ value: String) { JSONWriter.appendString(value, to: &bytes) }

  /// Appends `value` like ``appendString(_:)`` to text that is written by other means.
  // Safe: the string keeps its bytes valid during the call, and runs end at or before their count.
  package static func appendString(_ value: String, to bytes: inout [UInt8]) {
    var value = value
    bytes.append(Byte.quote)
    value.withUTF8 { utf8 in
      var start = 0
      while start < utf8.count {
        let end = unsafe JSONWriter.endOfPlainRun(utf8, from: start)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
        if end < utf8.count { unsafe appendEscape(utf8[end], to: &bytes) }
        start = end + 1
      }
    }
    bytes.append(Byte.quote)
  }

  /// The index of the first byte from `start` on that must be escaped, or the end.
  // Safe: a word is loaded only if eight bytes are left, and a byte only below the count.
  private static func endOfPlainRun(
    _ utf8: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    var index = start
    while index + 8 <= utf8.count {
      let hits = unsafe WordScan.escapeHits(WordScan.load(utf8.baseAddress! + index))
      if hits != 0 { return index + WordScan.firstByte(hits) }
      index += 8
    }
    while index < utf8.count, unsafe utf8[index] >= Byte.space, unsafe utf8[index] != Byte.quote,
      unsafe utf8[index] != Byte.backslash
    {
      index += 1
    }
    return index
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(Byte.backslash)
    switch byte {
    case Byte.quote, Byte.backslash: bytes.append(byte)
    case Byte.backspace: bytes.append(Byte.b)
    case Byte.formFeed: bytes.append(Byte.f)
    case Byte.newline: bytes.append(Byte.n)
    case Byte.carriageReturn: bytes.append(Byte.r)
    case Byte.tab: bytes.append(Byte.t)
    default:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
      bytes.append(contentsOf: digits.utf8)
    }
  }
}
