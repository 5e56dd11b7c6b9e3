import GraphJSON

extension GraphQL {
  /// Checks stored values against the schema as it is now.
  ///
  /// A record may have been written by another version of the program, or be damaged: what does not
  /// fit is missing. The recursion is bounded by the parser's depth.
  package struct StorageCheck {
    let schema: SchemaTable
    let document: ResponseDocument

    package init(schema: SchemaTable, json: JSONDocument) {
      self.schema = schema
      document = ResponseDocument(
        json: json, schema: schema, operation: nil, root: JSONDocument.rootIndex)
    }

    private var json: JSONDocument { document.json }

    /// The keys of the members of a record of type `typeName` whose values do not fit, as positions.
    package func misfits(typeName: String) -> [Int] {
      guard let type = schema.type(named: typeName) else { return [] }
      return misfits(JSONDocument.rootIndex, type)
    }

    /// Whether the value at `index` is of the field's type.
    package func accepts(_ index: Int, _ field: StorageField) -> Bool {
      guard let info = field.info else { return json.kind(at: index) == .string }
      return accepts(index, info, info.type.wrapping)
    }

    private func misfits(_ object: Int, _ type: TypeInfo) -> [Int] {
      var misfits: [Int] = []
      var key = json.firstChild(of: object)
      let end = json.end(of: object)
      while key < end {
        let value = json.next(after: key)
        if let field = type.field(StorageKey.fieldName(json.string(at: key))),
          !accepts(value, field, field.type.wrapping)
        {
          misfits.append(key)
        }
        key = json.next(after: value)
      }
      return misfits
    }

    private func accepts(_ value: Int, _ field: FieldInfo, _ wrapping: Wrapping) -> Bool {
      var wrapping = wrapping
      let isNonNull = wrapping.outermost == .nonNull
      if isNonNull { wrapping = wrapping.inner }
      if json.isNull(at: value) { return !isNonNull }
      if wrapping.outermost == .list {
        guard json.kind(at: value) == .array else { return false }
        var element = json.firstChild(of: value)
        let end = json.end(of: value)
        while element < end {
          guard accepts(element, field, wrapping.inner) else { return false }
          element = json.next(after: element)
        }
        return true
      }
      guard case .composite(let position) = field.named else {
        return LeafCheck(document: document).problem(value, field.named) == nil
      }
      guard json.kind(at: value) == .object else { return false }
      let type = schema.type(at: position)
      if let key = StoredLink.key(at: value, in: json) {
        guard let target = schema.type(named: key.typeName) else { return false }
        return schema.applies(type.name, to: target)
      }
      let reader = ValueReader(document: document, index: value)
      if type.isAbstract, json.member("__typename", of: value) == nil { return false }
      return misfits(value, reader.concreteType(of: type) ?? type).isEmpty
    }
  }

  /// A link from one record to another: `{"&":"Product:1"}`.
  package enum StoredLink {
    /// The key that the object at `index` links to; nil when it is no link.
    package static func key(at index: Int, in json: JSONDocument) -> EntityKey? {
      let name = json.firstChild(of: index)
      guard json.count(at: index) == 1, json.kind(at: name) == .string,
        ampersand.withUTF8Buffer({ json.stringEquals(name, $0) })
      else { return nil }
      let value = json.next(after: name)
      guard json.kind(at: value) == .string else { return nil }
      return EntityKey(json.string(at: value))
    }

    private static let ampersand: StaticString = "&"

    /// Appends a link to `key`.
    package static func append(_ key: EntityKey, to bytes: inout [UInt8]) {
      bytes.append(contentsOf: "{\"&\":".utf8)
      JSONWriter.appendString(key.description, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
