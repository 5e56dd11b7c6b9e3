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

extension Graph {
  /// Dates of HTTP (RFC 9110, section 5.6.7), in the current form, `Sun, 06 Nov 1994 08:49:37 GMT`, and in the obsolete
  /// ones, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  enum HTTPDate {
    private static let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func secondsSince1970(_ text: String) -> Int64? {
      let words = text.split(separator: " ")
      switch words.count {
      case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
        return seconds(words[3], words[2], words[1], words[4])
      case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
        let date = words[1].split(separator: "-")
        guard date.count == 3, date[2].count == 2, let year = Int64(date[2]) else { return nil }
        return seconds("\(year < 70 ? 2000 + year : 1900 + year)", date[1], date[0], words[2])
      case 5:
        return seconds(words[4], words[1], words[2], words[3])
      default: return nil
      }
    }

    private static func seconds(
      _ year: Substring, _ month: Substring, _ day: Substring, _ clock: Substring
    ) -> Int64? {
      guard let day = Int64(day), (1...31).contains(day),
        let month = months.firstIndex(of: String(month)),
        let year = Int64(year), (1970...9999).contains(year)
      else { return nil }
      let clock = clock.split(separator: ":").compactMap { Int64($0) }
      guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
        (0...60).contains(clock[2])
      else { return nil }
      return days(year, Int64(month) + 1, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// Days since 1970 in the Gregorian calendar, counted in years that start in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
      let shifted = month <= 2 ? year - 1 : year
      let era = shifted / 400
      let yearOfEra = shifted - era * 400
      let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
  }
}

extension Graph {
  /// The field `Retry-After` (RFC 9110, section 10.2.3): seconds or a date.
  package enum RetryAfter {
    /// The delay that a response requests. A date is compared with the server's own, if it has one:
    /// this machine's clock may be wrong by years.
    package static func delay(_ headers: Headers, now: Timestamp) -> Duration? {
      guard let value = headers["Retry-After"]?.trimmed, !value.isEmpty else { return nil }
      if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return .seconds(min(Int64(value) ?? .max, 1_000_000_000))
      }
      guard let date = HTTPDate.secondsSince1970(value) else { return nil }
      let sent = headers["Date"].flatMap { HTTPDate.secondsSince1970($0.trimmed) }
      return max(.seconds(date) - (sent.map { .seconds($0) } ?? now.wall), .zero)
    }
  }
}
