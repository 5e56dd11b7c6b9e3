/// Conversions between the spellings of GraphQL and Swift. Names are ASCII by their grammar.
enum CaseConversion {
  /// An enum value as a Swift case: `BEST_SELLING` is `bestSelling`, `CA` is `ca`.
  ///
  /// Words are joined if a value is written in one case with underscores. A value in mixed case
  /// keeps its form with a lower-case first letter. Underscores at either end are kept.
  // Safe: at most one byte is written for each of the value's, and the capacity is their number.
  static func enumCase(_ value: String) -> String {
    let bytes = value.utf8
    guard let start = bytes.firstIndex(where: { $0 != underscore }),
      let last = bytes.lastIndex(where: { $0 != underscore })
    else { return value }
    let isMixed = bytes.contains(where: isLower) && bytes.contains(where: isUpper)
    return unsafe String(unsafeUninitializedCapacity: bytes.count) { result in
      var count = 0
      func append(_ byte: UInt8) {
        unsafe result[count] = byte
        count += 1
      }
      bytes[..<start].forEach(append)
      append(lowered(bytes[start]))
      var startsWord = false
      for byte in bytes[start...last].dropFirst() {
        if isMixed {
          append(byte)
        } else if byte == underscore {
          startsWord = true
        } else {
          append(startsWord ? raised(byte) : lowered(byte))
          startsWord = false
        }
      }
      bytes[last...].dropFirst().forEach(append)
      return count
    }
  }

  /// The reader of a field under an alias: `node` is `aliasedNode`.
  static func aliasedReader(_ field: String) -> String {
    "aliased" + capitalized(field)
  }

  /// A type condition: `Order` is `onOrder`.
  static func condition(_ type: String) -> String {
    "on" + capitalized(type)
  }

  static func capitalized(_ name: String) -> String {
    guard let first = name.utf8.first, isLower(first) else { return name }
    var bytes = Array(name.utf8)
    bytes[0] = raised(first)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let underscore = UInt8(ascii: "_")

  private static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
  private static func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
  private static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
  private static func raised(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & 0xDF : byte }
}
