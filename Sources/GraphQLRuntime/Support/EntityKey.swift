import GraphJSON

extension GraphQL {
  /// Identifies an object across responses: its type and the values of its key fields.
  ///
  /// Keys are equal if their bytes are, as for GraphQL servers: two forms of one character in
  /// Unicode, such as `é` as one code point and as two, make two objects.
  public struct EntityKey: Hashable, Sendable, CustomStringConvertible {
    /// The name of the object's own type, never of an interface.
    public let typeName: String
    /// The value of the key field; for several key fields a JSON array of their values.
    public let key: String

    /// The identity of an object of a type.
    public init(typeName: String, key: String) {
      self.typeName = typeName
      self.key = key
    }

    /// Reads the form that ``description`` writes; nil if there is no type's name.
    public init?(_ text: String) {
      guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
        return nil
      }
      typeName = String(text[..<colon])
      key = String(text[text.utf8.index(after: colon)...])
    }

    public static func == (left: EntityKey, right: EntityKey) -> Bool {
      left.key.hasSameBytes(as: right.key) && left.typeName.hasSameBytes(as: right.typeName)
    }

    public func hash(into hasher: inout Hasher) {
      // Objects of different types rarely have the same key, and a store hashes very often.
      key.hashBytes(into: &hasher)
    }

    /// `Product:gid://shop/Product/1`.
    public var description: String { "\(typeName):\(key)" }
  }
}
