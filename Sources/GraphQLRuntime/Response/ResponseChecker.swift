import GraphJSON

extension GraphQL {
  /// Checks a response against the schema and the operation, before any of it is handed out.
  ///
  /// Every selected field has to be there and of its type (specification: 6.4.3 Value Completion);
  /// fields that were not asked for are passed over. The depth of the recursion is that of the
  /// operation, not of the response.
  struct ResponseChecker {
    private let document: ResponseDocument
    private let json: JSONDocument
    private let schema: SchemaTable

    init(_ document: ResponseDocument, schema: SchemaTable) {
      self.document = document
      json = document.json
      self.schema = schema
    }

    func check(
      _ object: Int, type: TypeInfo, selections: SelectionSet
    ) throws(SchemaViolation) {
      try check(object, CollectedFields([selections], of: type, in: schema))
    }

    private func check(_ object: Int, _ fields: CollectedFields) throws(SchemaViolation) {
      let expected = fields.fields
      var next = 0
      var isInOrder = true
      var seen = Bits()
      let end = json.end(of: object)
      var key = json.firstChild(of: object)
      while key < end {
        let value = json.next(after: key)
        // A server answers in the order of the selection (specification: 6.3.3), so the key that is
        // expected next is nearly always the one that is found.
        if next < expected.count, expected[next].matches(key, in: json) {
          try check(value, expected[next], in: fields.type)
          seen.insert(next, of: expected.count)
          next += 1
        } else if let position = fields.position(of: key, in: json) {
          isInOrder = false
          try check(value, expected[position], in: fields.type)
          seen.insert(position, of: expected.count)
          next = position + 1
        }
        key = json.next(after: value)
      }
      if isInOrder, next == expected.count { return }
      for (position, field) in expected.enumerated()
      where field.isRequired && !seen.contains(position) {
        throw violation(
          object, fields.type, field.name,
          "the response lacks `\(String(decoding: field.key, as: UTF8.self))`")
      }
    }

    private func check(
      _ value: Int, _ field: CollectedField, in type: TypeInfo
    ) throws(SchemaViolation) {
      guard let info = field.info else {
        guard json.kind(at: value) == .string else {
          throw violation(value, type, field.name, "expected a type's name, found \(found(value))")
        }
        return
      }
      if case .composite(let position) = info.named {
        let child = schema.type(at: position)
        try check(value, info, info.type.wrapping, in: type) { index throws(SchemaViolation) in
          try checkObject(index, field, of: child, in: type)
        }
      } else {
        try check(value, info, info.type.wrapping, in: type) { index throws(SchemaViolation) in
          try checkLeaf(index, info, in: type)
        }
      }
    }

    private func check(
      _ value: Int, _ field: FieldInfo, _ wrapping: Wrapping, in type: TypeInfo,
      leaf: (Int) throws(SchemaViolation) -> Void
    ) throws(SchemaViolation) {
      var wrapping = wrapping
      let isNonNull = wrapping.outermost == .nonNull
      if isNonNull { wrapping = wrapping.inner }
      if json.isNull(at: value) {
        if isNonNull {
          throw violation(value, type, field.name, "null where the schema has \(field.type.text)")
        }
        return
      }
      guard wrapping.outermost == .list else { return try leaf(value) }
      guard json.kind(at: value) == .array else {
        throw violation(value, type, field.name, "expected a list, found \(found(value))")
      }
      let end = json.end(of: value)
      var element = json.firstChild(of: value)
      while element < end {
        try check(element, field, wrapping.inner, in: type, leaf: leaf)
        element = json.next(after: element)
      }
    }

    private func checkObject(
      _ value: Int, _ field: CollectedField, of type: TypeInfo, in parent: TypeInfo
    ) throws(SchemaViolation) {
      guard json.kind(at: value) == .object else {
        throw violation(value, parent, field.name, "expected an object, found \(found(value))")
      }
      let reader = ValueReader(document: document, index: value)
      let concrete = reader.concreteType(of: type) ?? type
      try check(value, field.fields(of: concrete, in: schema))
    }

    private func checkLeaf(
      _ value: Int, _ field: FieldInfo, in type: TypeInfo
    ) throws(SchemaViolation) {
      if let problem = LeafCheck(document: document).problem(value, field.named) {
        throw violation(value, type, field.name, problem)
      }
    }

    private func violation(
      _ index: Int, _ type: TypeInfo, _ field: String, _ message: String
    ) -> SchemaViolation {
      SchemaViolation(
        typeName: type.name, fieldName: field, path: document.path(to: index), message: message)
    }

    private func found(_ index: Int) -> String { json.kind(at: index).noun }
  }

  /// A set of small integers that needs no memory of its own below 64.
  private struct Bits {
    private var low: UInt64 = 0
    private var high: [Bool] = []

    mutating func insert(_ element: Int, of count: Int) {
      if element < 64 {
        low |= 1 << UInt64(element)
      } else {
        if high.isEmpty { high = Array(repeating: false, count: count - 64) }
        high[element - 64] = true
      }
    }

    func contains(_ element: Int) -> Bool {
      if element < 64 { return low & (1 << UInt64(element)) != 0 }
      return !high.isEmpty && high[element - 64]
    }
  }
}
