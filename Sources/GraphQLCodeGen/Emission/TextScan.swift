import GraphJSON

/// Scans text eight bytes at a time: descriptions are half of the generated text, and scanning
/// their bytes one by one took a quarter of the time of emitting.
// Safe: a word is loaded only if eight bytes are left, a byte only below the count.
enum TextScan {
  /// Whether all bytes are printable ASCII or line feeds.
  static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index &+ 8 <= bytes.count {
      let isPlain = unsafe WordScan.isPrintable(WordScan.load(bytes.baseAddress! + index))
      guard isPlain || (index..<index &+ 8).allSatisfy({ unsafe isPrintable(bytes[$0]) }) else {
        return false
      }
      index &+= 8
    }
    return unsafe bytes[index...].allSatisfy(isPrintable)
  }

  /// The first line feed at or after an index, or the end.
  static func endOfLine(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      let hits = unsafe WordScan.hits(WordScan.load(bytes.baseAddress! + index), of: 0x0A)
      if hits != 0 { return index &+ WordScan.firstByte(hits) }
      index &+= 8
    }
    while index < bytes.count, unsafe bytes[index] != 0x0A { index &+= 1 }
    return index
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    byte == 0x0A || (byte >= 0x20 && byte <= 0x7E)
  }
}
