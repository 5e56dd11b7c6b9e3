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
