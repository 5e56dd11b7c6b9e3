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
