extension Graph {
  /// A media type with its parameters (RFC 9110, section 8.3.1).
  struct MediaType: Sendable, Hashable {
    /// `application/json`, in lower case.
    let essence: String
    /// By their names in lower case.
    let parameters: [String: String]

    static let graphQLResponse = "application/graphql-response+json"
    static let json = "application/json"
    static let eventStream = "text/event-stream"
    static let multipartMixed = "multipart/mixed"

    /// The accepted media types of a request for one response.
    static let accept = "\(graphQLResponse), \(json);q=0.9"

    init?(_ text: String?) {
      guard let text else { return nil }
      var pieces = Self.split(text)[...]
      guard let essence = pieces.popFirst(), essence.contains("/") else { return nil }
      self.essence = essence.lowercased()
      var parameters: [String: String] = [:]
      for piece in pieces {
        guard let equals = piece.firstIndex(of: "=") else { continue }
        let name = String(piece[..<equals]).trimmed.lowercased()
        parameters[name] = Self.unquoted(String(piece[piece.index(after: equals)...]).trimmed)
      }
      self.parameters = parameters
    }

    /// At semicolons outside of quotes, in which a backslash escapes the next character (section
    /// 5.6.4).
    private static func split(_ text: String) -> [String] {
      var isQuoted = false
      var isEscaped = false
      return text.utf8.split(omittingEmptySubsequences: false) { byte in
        if isEscaped {
          isEscaped = false
          return false
        }
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        isEscaped = isQuoted && byte == UInt8(ascii: "\\")
        return byte == UInt8(ascii: ";") && !isQuoted
      }.map { String(Substring($0)).trimmed }
    }

    private static func unquoted(_ value: String) -> String {
      guard value.count >= 2, value.first == "\"", value.last == "\"" else { return value }
      return String(value.dropFirst().dropLast()).replacing("\\", with: "")
    }
  }
}

extension String {
  /// Without spaces and tabs at its ends.
  var trimmed: String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
