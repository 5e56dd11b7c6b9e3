import GraphJSON

extension GraphQL {
  /// Checks a response against the schema and the operation, before any of it is handed out.
  ///
  /// Every selected field has to be there and of its type (specification: 6.4.3 Value Completion);
  /// fields that were not asked for are passed over. Objects wait for their turn in a list, so that
  /// depth costs no stack.
  struct ResponseChecker {
    private let document: ResponseDocument
    private let json: JSONDocument
    private let schema: SchemaTable
    /// Objects that were met and are still to be checked.
    private var waiting: [(object: Int, fields: CollectedFields)] = []

    init(_ document: ResponseDocument, schema: SchemaTable) {
      self.document = document
      json = document.json
      self.schema = schema
    }

    mutating func check(
      _ object: Int, type: TypeInfo, selections: SelectionSet
    ) throws(SchemaViolation) {
      waiting.append((object, CollectedFields([selections], of: type, in: schema)))
      while let next = waiting.popLast() { try check(next.object, next.fields) }
    }

    private mutating func check(_ object: Int, _ fields: CollectedFields) throws(SchemaViolation) {
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

    private mutating func check(
      _ value: Int, _ field: CollectedField, in type: TypeInfo
    ) throws(SchemaViolation) {
      if let info = field.info {
        try check(value, field, info, info.type.wrapping, in: type)
      } else if json.kind(at: value) != .string {
        throw violation(value, type, field.name, "expected a type's name, found \(found(value))")
      }
    }

    private mutating func check(
      _ value: Int, _ field: CollectedField, _ info: FieldInfo, _ wrapping: Wrapping,
      in type: TypeInfo
    ) throws(SchemaViolation) {
      let isNonNull = wrapping.outermost == .nonNull
      let nullable = isNonNull ? wrapping.inner : wrapping
      let kind = json.kind(at: value)
      if kind == .null {
        if isNonNull {
          throw violation(value, type, field.name, "null where the schema has \(info.type.text)")
        }
      } else if nullable.outermost == .list {
        guard kind == .array else {
          throw violation(value, type, field.name, "expected a list, found \(found(value))")
        }
        let end = json.end(of: value)
        var element = json.firstChild(of: value)
        while element < end {
          try check(element, field, info, nullable.inner, in: type)
          element = json.next(after: element)
        }
      } else if let child = field.type {
        guard kind == .object else {
          throw violation(value, type, field.name, "expected an object, found \(found(value))")
        }
        waiting.append((value, fields(below: field, of: child, at: value)))
      } else if let problem = LeafCheck(document: document).problem(value, info.named) {
        throw violation(value, type, field.name, problem)
      }
    }

    /// What is asked of the object at `value`.
    private func fields(
      below field: CollectedField, of type: TypeInfo, at value: Int
    ) -> CollectedFields {
      guard type.isAbstract else { return field.fields(of: type, in: schema) }
      let reader = ValueReader(document: document, index: value)
      return field.fields(of: reader.concreteType(of: type) ?? type, in: schema)
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
