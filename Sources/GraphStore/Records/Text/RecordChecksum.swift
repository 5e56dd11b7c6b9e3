/// A checksum of a record's bytes and its type's number, which is stored in its row: a record with
/// another one is damaged, or is not the expected one.
///
/// It avoids parsing a record to validate it. Each of its steps is invertible if all others are
/// known, so damage within eight aligned bytes always changes the checksum; other damage is missed
/// with a probability of one in 2^64. It does not protect against intentional changes of the file.
// Safe: a word is loaded only if eight bytes are left, a byte only below the count.
enum RecordChecksum {
  static func of(_ bytes: UnsafeRawBufferPointer, type: Int64) -> Int64 {
    var index = 0
    let count = bytes.count
    // Six at a time, so that none waits for the multiplication of the previous one.
    var (a, b, c) = (UInt64(count), 1 as UInt64, UInt64(bitPattern: type))
    var (d, e, f) = (3 as UInt64, 4 as UInt64, 5 as UInt64)
    while index &+ 48 <= count {
      a = unsafe step(a, word(bytes, index))
      b = unsafe step(b, word(bytes, index &+ 8))
      c = unsafe step(c, word(bytes, index &+ 16))
      d = unsafe step(d, word(bytes, index &+ 24))
      e = unsafe step(e, word(bytes, index &+ 32))
      f = unsafe step(f, word(bytes, index &+ 40))
      index &+= 48
    }
    while index &+ 8 <= count {
      a = unsafe step(a, word(bytes, index))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < count {
      rest = unsafe rest << 8 | UInt64(bytes[index])
      index &+= 1
    }
    // Each word is added to one of the parallel accumulators, and each of these to the checksum.
    let sum = step(step(step(step(step(step(a, rest), b), c), d), e), f)
    return Int64(bitPattern: sum)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  @inline(__always)
  private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let product = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product << 29 | product >> 35
  }
}
