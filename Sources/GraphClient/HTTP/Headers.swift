extension Graph {
  /// The fields of an HTTP message: ordered, names without regard to case (RFC 9110, section 5).
  ///
  /// Values may be secrets. Descriptions and mirrors show the names, and the values of a few fields
  /// that never hold one.
  public struct Headers: Sendable, Hashable {
    /// A field line.
    public struct Field: Sendable, Hashable {
      /// The name as it was given.
      public let name: String
      /// The value; it may be a secret.
      public let value: String

      /// A field line, which is checked when it is sent.
      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }

      /// Names are equal without regard to the case of ASCII letters.
      public static func == (left: Field, right: Field) -> Bool {
        left.name.lowercased() == right.name.lowercased() && left.value == right.value
      }

      public func hash(into hasher: inout Hasher) {
        hasher.combine(name.lowercased())
        hasher.combine(value)
      }
    }

    /// The fields in the order in which they are sent.
    public private(set) var fields: [Field] = []

    public init() {}

    /// Fields in the order in which they are sent. Values are checked when they are.
    public init(_ fields: some Sequence<Field>) { self.fields = Array(fields) }

    /// The value of the field `name`; several lines are joined by commas. Setting replaces every
    /// line of that name, nil removes them.
    public subscript(name: String) -> String? {
      get {
        let values = self.values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }
      set {
        let key = name.lowercased()
        fields.removeAll { $0.name.lowercased() == key }
        if let newValue { fields.append(Field(name: name, value: newValue)) }
      }
    }

    /// The values of every line of the field `name`.
    public func values(of name: String) -> [String] {
      let key = name.lowercased()
      return fields.filter { $0.name.lowercased() == key }.map(\.value)
    }

    /// Adds a line and leaves others of that name.
    public mutating func add(name: String, value: String) {
      fields.append(Field(name: name, value: value))
    }

    /// Sets every field of `other`.
    public mutating func merge(_ other: Headers) {
      for name in Set(other.fields.map { $0.name.lowercased() }) { self[name] = nil }
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
