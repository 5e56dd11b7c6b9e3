/// The slots of a cluster, see the section “Key distribution model” of the Redis cluster specification.
enum HashSlot {
  static let count = 16_384

  /// The slot of a key without braces: CRC-16 (XMODEM) of its bytes, modulo the number of slots.
  static func of(_ bytes: some Sequence<UInt8>) -> Int {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum ^= UInt16(byte) << 8
      for _ in 0..<8 {
        checksum = checksum & 0x8000 == 0 ? checksum << 1 : checksum << 1 ^ 0x1021
      }
    }
    return Int(checksum) % count
  }

  /// The text in braces of a shard's keys. Masters usually have equal ranges of slots, so the slot is in the shard's own
  /// part of all slots: then as many shards as masters are one on each.
  ///
  /// Names of stored keys begin with it, so all versions must compute the same.
  static func tag(_ namespace: String, shard index: Int, of shards: Int) -> String {
    var number = index
    while true {
      let tag = "\(namespace):\(number)"
      if of(tag.utf8) * shards / count == index { return tag }
      number += shards
    }
  }
}
