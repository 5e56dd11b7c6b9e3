/// A hash that is the same in every process and on every machine, unlike `Hasher`'s.
struct MockHash {
  private(set) var value: UInt64

  init(_ seed: UInt64) { value = seed ^ 0xCBF2_9CE4_8422_2325 }

  /// FNV-1a over the bytes.
  mutating func combine(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // Marks the end of the text, so that "a", "bc" and "ab", "c" differ.
    value = (value ^ 0xFF) &* 0x100_0000_01B3
  }

  mutating func combine(_ number: UInt64) {
    value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  /// A hash of 48 bits whose low bits depend on all of the input (SplitMix64's last steps).
  var key: UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) & 0xFFFF_FFFF_FFFF
  }

  static func key(_ seed: UInt64, _ text: String, _ index: Int? = nil) -> UInt64 {
    var hash = MockHash(seed)
    hash.combine(text)
    if let index { hash.combine(UInt64(index) &+ 1) }
    return hash.key
  }
}

extension RandomAccessCollection {
  /// The element that a hash selects; the collection must not be empty.
  func chosen(by hash: UInt64) -> Element {
    self[index(startIndex, offsetBy: Int(hash % UInt64(count)))]
  }
}
