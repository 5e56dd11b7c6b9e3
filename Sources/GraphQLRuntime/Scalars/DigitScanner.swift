/// Reads fixed runs of digits from a text's bytes.
// Safe: it exists during `scan`, whose caller keeps the bytes valid; their count bounds each
// position.
@safe struct DigitScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// The value that `body` reads from the text; nil if it does not read all of it.
  static func scan<Value>(_ text: String, _ body: (inout DigitScanner) -> Value?) -> Value? {
    var text = text
    return text.withUTF8 { unsafe scan($0, body) }
  }

  /// The value that `body` reads from the bytes; nil if it does not read all of them.
  @inline(__always)
  static func scan<Value>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout DigitScanner) -> Value?
  ) -> Value? {
    var scanner = unsafe DigitScanner(bytes: bytes)
    guard let value = body(&scanner), scanner.position == bytes.count else { return nil }
    return value
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = bytes
  }

  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool { take(byte, byte) }

  /// Skips one of two bytes if it is next.
  @inline(__always)
  mutating func take(_ byte: UInt8, _ other: UInt8) -> Bool {
    guard unsafe position < bytes.count, unsafe bytes[position] == byte || bytes[position] == other
    else {
      return false
    }
    position += 1
    return true
  }

  /// A number with that many digits. Inlined, so that a literal width leaves no loop: that halved
  /// the time of reading a date.
  @inline(__always)
  mutating func number(_ width: Int) -> Int? {
    guard unsafe bytes.count - position >= width else { return nil }
    var value = 0
    for offset in 0..<width {
      guard let digit = digit(at: position + offset) else { return nil }
      value = value * 10 + digit
    }
    position += width
    return value
  }

  /// `.250`, or nothing, which is zero; nil for a dot without digits.
  mutating func fraction() -> Double? {
    guard take(UInt8(ascii: ".")) else { return 0 }
    let start = position
    var value = 0.0
    var scale = 1.0
    while unsafe position < bytes.count, let digit = digit(at: position) {
      // After 15 digits, nothing more fits into a Double.
      if position - start < 15 {
        value = value * 10 + Double(digit)
        scale *= 10
      }
      position += 1
    }
    return position == start ? nil : value / scale
  }

  @inline(__always)
  private func digit(at index: Int) -> Int? {
    let byte = unsafe bytes[index]
    guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    return Int(byte - UInt8(ascii: "0"))
  }
}
