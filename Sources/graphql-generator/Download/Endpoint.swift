/// The address of a GraphQL service.
struct Endpoint: Equatable {
  /// The whole address, unchanged.
  let address: String
  /// Scheme, host and port: the origin that may receive credentials (RFC 6454).
  let origin: String
  /// The address without its query, in which some services expect a token.
  let shown: String

  var isSecure: Bool { origin.hasPrefix("https:") }

  /// nil unless it is an absolute `http` or `https` URL (RFC 3986, which is in ASCII) without user
  /// and password, which would end up in logs.
  init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let scheme = ["http", "https"].first(where: { text.lowercased().hasPrefix("\($0)://") })
    else { return nil }
    let start = bytes.index(bytes.startIndex, offsetBy: "\(scheme)://".utf8.count)
    let end = bytes[start...].firstIndex(where: "/?#".utf8.contains) ?? bytes.endIndex
    guard let (host, port) = Self.hostAndPort(text[start..<end].lowercased()) else { return nil }
    address = text
    origin = "\(scheme)://\(host):\(port ?? (scheme == "https" ? 443 : 80))"
    shown = String(text[..<(bytes.firstIndex(where: "?#".utf8.contains) ?? bytes.endIndex)])
  }

  /// Splits `host:port`; nil if libcurl could parse another host from it, because of an `@`, a
  /// backslash or a percent-encoded character.
  private static func hostAndPort(_ authority: String) -> (host: Substring, port: UInt16?)? {
    let bytes = authority.utf8
    let isAddress = authority.hasPrefix("[")
    guard
      let end = isAddress
        ? bytes.firstIndex(of: UInt8(ascii: "]")).map(bytes.index(after:))
        : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    else { return nil }
    // An IPv6 address in its brackets, or else a name or an IPv4 address.
    let host = authority[..<end]
    let name = isAddress ? host.dropFirst().dropLast() : host
    let others = isAddress ? "-._:%" : "-._"
    guard !name.isEmpty,
      name.utf8.allSatisfy({ isLetterOrDigit($0) || others.utf8.contains($0) })
    else { return nil }
    let colonAndPort = authority[end...]
    let digits = colonAndPort.dropFirst()
    if digits.isEmpty { return colonAndPort.isEmpty || colonAndPort == ":" ? (host, nil) : nil }
    guard colonAndPort.hasPrefix(":"), !digits.hasPrefix("+"), let port = UInt16(digits) else {
      return nil
    }
    return (host, port)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }
}

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
