/// A header field of a request, checked before it is sent (RFC 9110, section 5).
struct Header: Equatable {
  let name: String
  /// Possibly a token: never shown.
  let value: String

  /// Reads `Name: value`; nil if the name is not a token, or the value has a control character,
  /// which could start another header field.
  init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = String(text[..<colon])
    let value = text[text.index(after: colon)...]
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
      value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
    else { return nil }
    self.name = name
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = value.drop(while: isBlank)
    self.value = String(start.reversed().drop(while: isBlank).reversed())
  }

  init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The header field in libcurl's form. libcurl leaves out one that ends with its colon.
  var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

/// Removes the values of header fields from shown text.
struct Redaction {
  private let secrets: [String]

  /// Every value, and the part after the scheme in `Bearer abc`; the longest first, so that no part
  /// of one remains.
  init(_ headers: [Header]) {
    let parts = headers.flatMap { header in
      [header.value] + header.value.split(separator: " ").dropFirst().map(String.init)
    }
    secrets = Set(parts).filter { $0.utf8.count >= 4 }.sorted {
      ($1.count, $0) < ($0.count, $1)
    }
  }

  func callAsFunction(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: "***") }
  }
}
