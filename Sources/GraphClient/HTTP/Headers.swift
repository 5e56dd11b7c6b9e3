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
