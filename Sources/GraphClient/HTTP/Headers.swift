import GraphJSON

extension Graph {
  /// The header fields of an HTTP message: ordered, with case-insensitive names (RFC 9110, section
  /// 5).
  ///
  /// Values may be secrets. Descriptions and mirrors show the names, and the values of a few fields
  /// that never contain one.
  public struct Headers: Sendable, Hashable {
    /// A header field.
    public struct Field: Sendable, Hashable {
      /// The name in its original case.
      public let name: String
      /// The value; it may be a secret.
      public let value: String

      /// A header field, which is checked when it is sent.
      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }

      /// Names are compared without regard to the case of ASCII letters, values by their bytes.
      public static func == (left: Field, right: Field) -> Bool {
        Headers.isSame(left.name, right.name) && left.value.hasSameBytes(as: right.value)
      }

      /// Equal names have equal lengths; values distinguish fields.
      public func hash(into hasher: inout Hasher) {
        hasher.combine(name.utf8.count)
        value.hashBytes(into: &hasher)
      }
    }

    /// The fields in the order in which they are sent.
    public private(set) var fields: [Field] = []

    public init() {}

    /// Fields in the order in which they are sent. Values are checked when they are sent.
    public init(_ fields: some Sequence<Field>) { self.fields = Array(fields) }

    /// The value of the field `name`; several fields of that name are joined by commas. Setting
    /// replaces all of them, nil removes them.
    public subscript(name: String) -> String? {
      get {
        let values = self.values(of: name)
        return values.count > 1 ? values.joined(separator: ", ") : values.first
      }
      set {
        fields.removeAll { Self.isSame($0.name, name) }
        if let newValue { fields.append(Field(name: name, value: newValue)) }
      }
    }

    /// The values of every field with that `name`.
    public func values(of name: String) -> [String] {
      fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Whether two names differ at most in the case of ASCII letters.
    static func isSame(_ left: String, _ right: String) -> Bool {
      left.utf8.count == right.utf8.count
        && zip(left.utf8, right.utf8).allSatisfy { left, right in
          left == right || left ^ right == 0x20 && (0x61...0x7A).contains(left | 0x20)
        }
    }

    /// Adds a field and keeps others of that name.
    public mutating func add(name: String, value: String) {
      fields.append(Field(name: name, value: value))
    }

    /// Sets every field of `other`.
    public mutating func merge(_ other: Headers) {
      fields.removeAll { field in other.fields.contains { Self.isSame($0.name, field.name) } }
      fields += other.fields
    }
  }
}

extension Graph.Headers: ExpressibleByDictionaryLiteral {
  /// Fields are checked when the request is sent; see ``check()``.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0, value: $1) }
  }
}

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

extension Graph.Headers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Fields that contain no secret, and that a request may take to another origin.
  static let nonsensitive: Set<String> = [
    "accept", "accept-encoding", "accept-language", "apollo-require-preflight",
    "apollographql-client-name", "apollographql-client-version", "content-length", "content-type",
    "graphql-require-preflight", "idempotency-key", "retry-after", "user-agent",
    "x-apollo-operation-name",
  ]

  /// The names; values only of fields that never contain a secret.
  public var description: String {
    fields.map { field in
      Self.nonsensitive.contains(field.name.lowercased())
        ? "\(field.name): \(field.value)" : "\(field.name): (hidden)"
    }.joined(separator: ", ")
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

extension Graph.Headers.Field: CustomStringConvertible, CustomReflectable {
  public var description: String { Graph.Headers([self]).description }

  public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}

extension Graph.Headers {
  /// Adds the fields with which servers recognize that no form of another site sent a request. A
  /// request with the media type JSON does not need them.
  ///
  /// Browsers send such fields to another origin only after a preflight. The first field is that of
  /// GraphQL over HTTP ("Exercise caution"), the others are those of Apollo Server and Router, which
  /// accept either one.
  ///
  /// - Parameter operation: the operation's name.
  mutating func requirePreflight(of operation: String?) {
    self["GraphQL-Require-Preflight"] = "1"
    self["Apollo-Require-Preflight"] = "true"
    if let operation { self["X-Apollo-Operation-Name"] = operation }
  }
}

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
  package var trimmed: String {
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
