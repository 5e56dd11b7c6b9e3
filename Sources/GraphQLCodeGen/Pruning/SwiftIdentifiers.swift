/// The words of Swift sources that could be names of generated members.
///
/// Words in comments and strings count as well. That may keep too much but never too little, and
/// needs no parser; raw queries name their fields in strings.
public struct SwiftIdentifiers: Sendable, Equatable {
  private var words: Set<String> = []

  public init() {}

  /// Adds the words of one source file.
  public mutating func collect(from source: [UInt8]) {
    var start = 0
    while start < source.count {
      guard Self.isStart(source[start]) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < source.count, Self.isStart(source[end]) || Self.isDigit(source[end]) { end += 1 }
      words.insert(String(decoding: source[start..<end], as: UTF8.self))
      start = end
    }
  }

  /// Whether a Swift name occurs, with backticks or without.
  public func contains(_ name: String) -> Bool {
    words.contains(name) || (name.hasPrefix("`") && words.contains(name.trimmed))
  }

  private static func isStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

extension String {
  /// The word without backticks.
  fileprivate var trimmed: String { String(dropFirst().dropLast()) }
}
