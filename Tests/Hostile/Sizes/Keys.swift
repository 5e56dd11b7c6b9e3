/// JSON objects with very many keys.
enum Keys {
  /// The object with 1,000,000 keys, each with the value 1.
  static func object(_ key: (Int) -> String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(30 << 20)
    for number in 0..<1_000_000 {
      bytes += (number == 0 ? "{\"" : ",\"").utf8
      bytes += key(number).utf8
      bytes += "\":1".utf8
    }
    return bytes + "}".utf8
  }

  /// A number as eight digits.
  static func digits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// The same sequence in each run (SplitMix64).
struct RandomKeys {
  private var state: UInt64 = 1

  /// Twelve digits.
  mutating func digits() -> String {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    let digits = String((mixed ^ (mixed >> 31)) % 1_000_000_000_000)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}
