extension Graph.Headers {
  /// Rejects values that could become another field or request: CR, LF and NUL in values, names
  /// that are not tokens (RFC 9110, sections 5.1 and 5.5). The client calls it before anything is
  /// sent.
  ///
  /// - Throws: ``Graph/TransportError`` with the code `invalidRequest`; it names the field, never
  ///   its value.
  public func check() throws(Graph.TransportError) {
    for field in fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isTokenByte) else {
        throw Graph.TransportError(
          .invalidRequest, message: "a header name is empty or contains an invalid character")
      }
      guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
        throw Graph.TransportError(
          .invalidRequest, message: "the value of header `\(field.name)` contains CR, LF or NUL")
      }
    }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
