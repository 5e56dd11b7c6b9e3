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

extension GraphQL.EntityKey {
  /// The key of an object with key fields; nil if one of them is null or missing.
  package init?(
    typeName: String, keyFields: [[UInt8]], ofObjectAt index: Int, in json: JSONDocument
  ) {
    if keyFields.count == 1 {
      guard let text = Self.text(keyFields[0], index, json) else { return nil }
      self.init(typeName: typeName, key: text)
      return
    }
    var writer = JSONWriter()
    writer.beginArray()
    for field in keyFields {
      guard let text = Self.text(field, index, json) else { return nil }
      writer.string(text)
    }
    writer.endArray()
    self.init(typeName: typeName, key: String(decoding: writer.finish(), as: UTF8.self))
  }

  private static func text(_ name: [UInt8], _ object: Int, _ json: JSONDocument) -> String? {
    guard let value = json.member(name, of: object) else { return nil }
    return switch json.kind(at: value) {
    case .string: json.string(at: value)
    case .number: json.numberText(at: value)
    default: nil
    }
  }
}
