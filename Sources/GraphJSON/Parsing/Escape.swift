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
