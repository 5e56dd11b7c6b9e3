/// SHA-256 (FIPS 180-4). Persisted queries and the generator use it to identify documents, and the
/// cache to identify its entries. It is in this module because only this one is part of both the tool
/// and the client.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {}

  /// The digest of `bytes`.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The digest of `text`'s UTF-8 in lower-case hexadecimal digits.
  package static func hexDigest(_ text: String) -> String { digest(text.utf8).hexadecimal }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    compressPending()
  }

  /// Adds `bytes` after their count, so that two fields are never confused with two others.
  package mutating func updateField(_ bytes: some Collection<UInt8>) {
    pending.append(bigEndian: UInt64(bytes.count))
    update(bytes)
  }

  package consuming func finish() -> [UInt8] {
    let bits = (byteCount + UInt64(pending.count)) * 8
    pending.append(0x80)
    while pending.count % 64 != 56 { pending.append(0) }
    pending.append(bigEndian: bits)
    compressPending()
    return state.reduce(into: []) { $0.append(bigEndian: $1) }
  }

  // Safe: each block of 64 bytes ends at or before `whole`, and the array keeps them valid during
  // the call.
  private mutating func compressPending() {
    let whole = pending.count / 64 * 64
    guard whole > 0 else { return }
    var schedule = [UInt32](repeating: 0, count: 64)
    unsafe pending.withUnsafeBufferPointer { bytes in
      for start in stride(from: 0, to: whole, by: 64) {
        unsafe Self.compress(
          UnsafeBufferPointer(rebasing: bytes[start..<start + 64]), &state, &schedule)
      }
    }
    byteCount += UInt64(whole)
    pending.removeFirst(whole)
  }

  // Safe: the caller passes 64 bytes, of which 16 words of four are read.
  private static func compress(
    _ block: UnsafeBufferPointer<UInt8>, _ state: inout [UInt32], _ w: inout [UInt32]
  ) {
    for index in 0..<16 {
      let at = index * 4
      w[index] =
        unsafe UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8
        | UInt32(block[at + 3])
    }
    for index in 16..<64 {
      let early = w[index - 15]
      let late = w[index - 2]
      let sigma0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
      let sigma1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
      w[index] = w[index - 16] &+ sigma0 &+ w[index - 7] &+ sigma1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let first = h &+ sum1 &+ (e & f ^ ~e & g) &+ roundConstants[index] &+ w[index]
      let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let second = sum0 &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension UInt32 {
  /// With `&>>`, since `>>` calls a generic function in debug builds, such as that of the generator: it takes half of the
  /// time there.
  @inline(__always)
  fileprivate func rotated(_ count: UInt32) -> UInt32 {
    (self &>> count) | (self &<< (32 &- count))
  }
}

extension [UInt8] {
  /// The bytes as lower-case hexadecimal digits.
  package var hexadecimal: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      text.append(Self.digit(byte >> 4))
      text.append(Self.digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
