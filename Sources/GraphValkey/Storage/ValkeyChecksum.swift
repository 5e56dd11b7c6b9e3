/// Detects damage of stored bytes, and is not a protection against changes on purpose. SHA-256 would take longer than
/// the server for responses of a few kilobytes.
enum ValkeyChecksum {
  // Safe: each load is within the bytes, and needs no alignment.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    mix(&state, UInt64(bytes.count))
    unsafe bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        mix(&state, UInt64(littleEndian: word))
        offset += 8
      }
      var last: UInt64 = 0
      while offset < bytes.count {
        last = unsafe last << 8 | UInt64(bytes[offset])
        offset += 1
      }
      mix(&state, last)
    }
    return state
  }

  /// Both steps are reversible, so two different words never lead from one state to the same.
  @inline(__always)
  private static func mix(_ state: inout UInt64, _ word: UInt64) {
    state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }
}
