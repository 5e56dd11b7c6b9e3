/// Content codings, as far as a test server has to write them.
extension HTTPBytes {
  private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// The bytes in gzip (RFC 1952), in one stored block.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    gzipHead + stored(bytes) + little(crc(bytes)) + little(UInt32(bytes.count))
  }

  /// The bytes in zlib's form (RFC 1950), which HTTP calls deflate.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01] + stored(bytes) + little(b << 16 | a).reversed()
  }

  /// The bytes in one raw block of a Zstandard frame (RFC 8878, section 3.1.1).
  package static func zstandard(_ bytes: [UInt8]) -> [UInt8] {
    // A single segment whose size has four bytes, and the last block.
    [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + little(UInt32(bytes.count))
      + little(UInt32(bytes.count) << 3 | 1).prefix(3) + bytes
  }

  /// The bytes in brotli (RFC 7932, section 9): an uncompressed block, and an empty last one.
  package static func brotli(_ bytes: [UInt8]) -> [UInt8] {
    // A window of 16 bits: 0; not the last: 0; four nibbles of length: 00; the length minus one;
    // stored: 1.
    let header = UInt32(bytes.count - 1) << 4 | 1 << 20
    return Array(little(header).prefix(3)) + bytes + [0x03]
  }

  /// A gzip stream of about `count` spaces, without an end; it is 150 times smaller than its
  /// content.
  package static func bomb(_ count: Int) -> [UInt8] {
    var bits = Bits()
    // The last block, with the fixed codes (RFC 1951, section 3.2.6): a space, and copies of 258 bytes
    // from one byte before.
    bits.append(0b011, 3)
    bits.append(reversed: 0x30 + 0x20, 8)
    for _ in 0..<count / 258 {
      bits.append(reversed: 0b1100_0101, 8)
      bits.append(0, 5)
    }
    return gzipHead + bits.bytes
  }

  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    return [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      + bytes
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private struct Bits {
    var bytes: [UInt8] = []
    private var count = 0

    mutating func append(_ value: Int, _ width: Int) {
      for index in 0..<width {
        if count % 8 == 0 { bytes.append(0) }
        if value >> index & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(count % 8) }
        count += 1
      }
    }

    /// Huffman codes begin with their highest bit.
    mutating func append(reversed value: Int, _ width: Int) {
      for index in (0..<width).reversed() { append(value >> index & 1, 1) }
    }
  }
}
