/// Detects damage of stored bytes, and is not a protection against changes on purpose. SHA-256 would take longer than
/// the server for responses of a few kilobytes.
enum ValkeyChecksum {
  // Safe: each load is within the bytes, and needs no alignment.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
      func word(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      mix(&state, UInt64(bytes.count))
      var offset = 0
      // The processor computes several states at the same time, since none depends on another.
      var (second, third, fourth) = (state &* 3, state &* 5, state &* 7)
      while offset + 32 <= bytes.count {
        mix(&state, word(offset))
        mix(&second, word(offset + 8))
        mix(&third, word(offset + 16))
        mix(&fourth, word(offset + 24))
        offset += 32
      }
      mix(&state, second)
      mix(&state, third)
      mix(&state, fourth)
      while offset + 8 <= bytes.count {
        mix(&state, word(offset))
        offset += 8
      }
      var last: UInt64 = 0
      while offset < bytes.count {
        last = unsafe last << 8 | UInt64(bytes[offset])
        offset += 1
      }
      mix(&state, last)
      return state
    }
  }

  /// Both steps are reversible, so two different words never lead from one state to the same.
  @inline(__always)
  private static func mix(_ state: inout UInt64, _ word: UInt64) {
    state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }
}
