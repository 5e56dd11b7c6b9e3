/// Looks through text eight bytes at a time: descriptions are half of what is generated, and looking
/// at each of their bytes took a quarter of the time of emitting.
// Safe: a word is loaded only where eight bytes are left, a byte only below the count.
enum HarmlessText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Whether all bytes are printable ASCII or line feeds.
  static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index &+ 8 <= bytes.count {
      let word = unsafe load(bytes, index)
      // A top bit tells of bytes from 0x7F up in the sum, of those below 0x20 in the difference.
      let isPlain = (word | (word &+ ones) | (word &- ones &* 0x20)) & tops == 0
      guard isPlain || (index..<index &+ 8).allSatisfy({ unsafe isPrintable(bytes[$0]) }) else {
        return false
      }
      index &+= 8
    }
    return unsafe bytes[index...].allSatisfy(isPrintable)
  }

  /// Where the first line feed at or after an index is, or the end.
  static func endOfLine(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      let difference = unsafe load(bytes, index) ^ (ones &* 0x0A)
      let zeros = (difference &- ones) & ~difference & tops
      // The lowest bit is exact, and the lowest byte is the first.
      if zeros != 0 { return index &+ zeros.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < bytes.count, unsafe bytes[index] != 0x0A { index &+= 1 }
    return index
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    byte == 0x0A || (byte >= 0x20 && byte <= 0x7E)
  }

  private static func load(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: UnsafeRawPointer(bytes.baseAddress!).loadUnaligned(
        fromByteOffset: index, as: UInt64.self))
  }
}
