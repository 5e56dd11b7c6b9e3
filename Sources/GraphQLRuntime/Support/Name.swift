extension GraphQL {
  /// GraphQL names (specification: 2.1.8 Names).
  enum Name {
    static func isValid(_ name: String) -> Bool {
      guard let first = name.utf8.first, isStart(first) else { return false }
      return name.utf8.dropFirst().allSatisfy(isContinue)
    }

    /// Whether a text can be an enum value (specification: 2.9.6 Enum Value).
    static func isEnumValue(_ text: String) -> Bool {
      isValid(text) && text != "true" && text != "false" && text != "null"
    }

    static func isStart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }

    static func isContinue(_ byte: UInt8) -> Bool { isStart(byte) || isDigit(byte) }

    static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }
}
