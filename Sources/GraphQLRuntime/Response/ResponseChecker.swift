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
      let end = json.end(of: object)
      var key = json.firstChild(of: object)
      while key < end {
        let value = json.next(after: key)
        // A server answers in the order of the selection (specification: 6.3.3), so the key that is
        // expected next is nearly always the one that is found.
        if next < expected.count, matches(key, expected[next]) {
          try check(value, expected[next], in: fields.type)
          next += 1
        } else if let field = find(key, in: fields) {
          isInOrder = false
          try check(value, field, in: fields.type)
        }
        key = json.next(after: value)
      }
      if next < expected.count || !isInOrder { try checkPresence(of: fields, in: object) }
    }

    @inline(__always)
    private func matches(_ key: Int, _ field: CollectedField) -> Bool {
      field.key.withUnsafeBufferPointer { json.stringEquals(key, $0) }
    }

    private func find(_ key: Int, in fields: CollectedFields) -> CollectedField? {
      var name = json.string(at: key)
      return name.withUTF8 { fields.position(of: $0) }.map { fields.fields[$0] }
    }

    private func checkPresence(
      of fields: CollectedFields, in object: Int
    ) throws(SchemaViolation) {
      for field in fields.fields where field.isRequired {
        let isThere = field.key.withUnsafeBufferPointer { json.member($0, of: object) != nil }
        if !isThere {
          throw violation(
            object, fields.type, field.name,
            "the response lacks `\(String(decoding: field.key, as: UTF8.self))`")
        }
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
          try checkObject(index, field, of: child)
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
      _ value: Int, _ field: CollectedField, of type: TypeInfo
    ) throws(SchemaViolation) {
      guard json.kind(at: value) == .object else {
        throw violation(value, type, "", "expected an object, found \(found(value))")
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

  /// Checks a value that is not null and not a list against a scalar or enum
  /// (specification: 3.5 Scalars, Result Coercion).
  struct LeafCheck {
    let document: ResponseDocument

    /// What is wrong with the value, nil when nothing is.
    func problem(_ value: Int, _ named: NamedType) -> String? {
      let json = document.json
      let kind = json.kind(at: value)
      switch named {
      case .string, .enumeration:
        return kind == .string ? nil : "expected a string, found \(kind.noun)"
      case .int:
        guard kind == .number else { return "expected an integer, found \(kind.noun)" }
        return json.int32(at: value) == nil ? "expected an integer of 32 bits" : nil
      case .float:
        guard kind == .number else { return "expected a number, found \(kind.noun)" }
        return json.double(at: value) == nil ? "the number is too large for a Double" : nil
      case .boolean:
        return kind == .bool ? nil : "expected true or false, found \(kind.noun)"
      case .id:
        if kind == .string { return nil }
        guard kind == .number else { return "expected an ID, found \(kind.noun)" }
        return json.int64(at: value) == nil
          ? "expected an ID, found a number that is no integer" : nil
      case .scalar(nil):
        return nil
      case .scalar(let type?):
        return problem(value, type)
      case .composite, .input:
        return "expected an object, found \(kind.noun)"
      }
    }

    private func problem(_ value: Int, _ type: any Scalar.Type) -> String? {
      do {
        _ = try type.init(scalar: document.json.json(at: value))
        return nil
      } catch {
        return "\(error)"
      }
    }
  }
}

extension JSONKind {
  /// For messages: `expected a string, found an object`.
  var noun: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
