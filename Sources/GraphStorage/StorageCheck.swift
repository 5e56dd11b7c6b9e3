import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// Checks stored values against the current schema.
  ///
  /// A record may have been written by another version of the program, or be damaged. A value that
  /// does not fit counts as missing.
  package struct StorageCheck {
    let schema: SchemaTable
    let json: JSONDocument

    package init(schema: SchemaTable, json: JSONDocument) {
      self.schema = schema
      self.json = json
    }

    /// Whether the value at `index` has the form of the field's type; the contents of objects are
    /// not checked.
    package func accepts(_ index: Int, _ field: StorageField) -> Bool {
      guard let info = field.info else { return json.kind(at: index) == .string }
      return LeafCheck(json).accepts(index, info)
    }

    /// Whether an object of the type with that name is allowed in the field.
    package func allows(typeName: String, in field: StorageField) -> Bool {
      guard case .composite(let position)? = field.info?.named,
        let type = schema.type(named: typeName)
      else { return false }
      return schema.applies(schema.type(at: position).name, to: type)
    }
  }

  /// A link from one record to another: `{"&":"Product:1"}`.
  // Safe: literals of the program live forever; the buffer does not change while it is read.
  package enum StoredLink {
    /// The key to which the object at `index` links; nil if it is not a link.
    package static func key(at index: Int, in json: JSONDocument) -> EntityKey? {
      let name = json.firstChild(of: index)
      guard json.count(at: index) == 1, json.kind(at: name) == .string,
        ampersand.withUTF8Buffer({ unsafe json.stringEquals(name, $0) })
      else { return nil }
      let value = json.next(after: name)
      guard json.kind(at: value) == .string else { return nil }
      return EntityKey(json.string(at: value))
    }

    private static let ampersand: StaticString = "&"

    /// Appends a link to `key`.
    package static func append(_ key: EntityKey, to buffer: inout ByteBuffer) {
      let mark = buffer.count
      opening.withUTF8Buffer { unsafe buffer.append($0) }
      buffer.append(key.typeName)
      buffer.append(UInt8(ascii: ":"))
      let start = buffer.count
      buffer.append(key.key)
      let isPlain = unsafe buffer.bytes[start...].allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      if isPlain {
        buffer.append(UInt8(ascii: "\""))
        buffer.append(UInt8(ascii: "}"))
      } else {
        var bytes: [UInt8] = []
        append(key, to: &bytes)
        buffer.remove(after: mark)
        buffer.append(bytes)
      }
    }

    private static let opening: StaticString = "{\"&\":\""

    /// Appends a link to `key`.
    package static func append(_ key: EntityKey, to bytes: inout [UInt8]) {
      bytes.append(contentsOf: "{\"&\":\"".utf8)
      bytes.append(contentsOf: key.typeName.utf8)
      let colon = bytes.count
      JSONWriter.appendString(key.key, to: &bytes)
      // A type's name needs no escapes, so the position of the quote before the key is used for the
      // colon.
      bytes[colon] = UInt8(ascii: ":")
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

extension GraphQL.StorageCheck {
  /// The problem with the object at `index`, whose members are the fields of the type with that
  /// name; nil if there is none.
  package func problem(of index: Int, typeName: String) -> GraphQL.SchemaViolation? {
    guard let type = schema.type(named: typeName) else { return nil }
    var checker = GraphQL.FieldsChecker(json, schema: schema)
    do {
      try checker.check(index, type: type)
      return nil
    } catch {
      return error
    }
  }
}
