import TestSupport

/// JSON objects with a very large number of keys.
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

  /// Twelve digits.
  static func digits(_ random: inout SeededGenerator) -> String {
    let digits = String(random.next() % 1_000_000_000_000)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}
