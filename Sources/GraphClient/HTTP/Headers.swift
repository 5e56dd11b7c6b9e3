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
