import GraphJSON

extension GraphQL {
  /// Checks an object that was created from fields, without an operation. Every key has to name a
  /// field of the type, directly or with an alias, and every value has to have its type.
  ///
  /// Objects are queued in a list, so that depth needs no stack.
  package struct FieldsChecker {
    private let json: JSONDocument
    private let schema: SchemaTable

    /// Objects that were found and are not checked yet.
    private var waiting: [(object: Int, type: TypeInfo)] = []

    package init(_ json: JSONDocument, schema: SchemaTable) {
      self.json = json
      self.schema = schema
    }

    package mutating func check(_ object: Int, type: TypeInfo) throws(SchemaViolation) {
      waiting.append((object, type))
      while let next = waiting.popLast() { try checkMembers(of: next.object, type: next.type) }
    }

    private mutating func checkMembers(
      of object: Int, type: TypeInfo
    ) throws(SchemaViolation) {
      var key = json.firstChild(of: object)
      let end = json.end(of: object)
      while key < end {
        let value = json.next(after: key)
        let name = json.string(at: key)
        if name != "__typename", !name.hasPrefix("__typename__") {
          guard let field = type.field(named: name) else {
            throw violation(value, type, name, "the schema has no such field")
          }
          try check(value, field, field.type.wrapping, in: type)
        } else if json.kind(at: value) != .string {
          throw violation(value, type, name, "expected a type's name")
        }
        key = json.next(after: value)
      }
    }

    private mutating func check(
      _ value: Int, _ field: FieldInfo, _ wrapping: Wrapping, in type: TypeInfo
    ) throws(SchemaViolation) {
      var wrapping = wrapping
      let isNonNull = wrapping.outermost == .nonNull
      if isNonNull { wrapping = wrapping.inner }
      let kind = json.kind(at: value)
      if kind == .null {
        guard isNonNull else { return }
        throw violation(value, type, field.name, "null where the schema has \(field.type.text)")
      }
      if wrapping.outermost == .list {
        guard kind == .array else {
          throw violation(value, type, field.name, "expected a list, found \(kind.noun)")
        }
        var element = json.firstChild(of: value)
        let end = json.end(of: value)
        while element < end {
          try check(element, field, wrapping.inner, in: type)
          element = json.next(after: element)
        }
      } else if case .composite(let position) = field.named {
        try checkObject(value, field, of: schema.type(at: position), in: type)
      } else if let problem = LeafCheck(json).problem(value, field.named) {
        throw violation(value, type, field.name, problem)
      }
    }

    private mutating func checkObject(
      _ value: Int, _ field: FieldInfo, of type: TypeInfo, in parent: TypeInfo
    ) throws(SchemaViolation) {
      guard json.kind(at: value) == .object else {
        throw violation(
          value, parent, field.name, "expected an object, found \(json.kind(at: value).noun)")
      }
      if type.isAbstract, json.member("__typename", of: value) == nil {
        throw violation(
          value, parent, field.name, "`__typename` is needed: \(type.name) is abstract")
      }
      waiting.append((value, schema.concreteType(of: type, at: value, in: json) ?? type))
    }

    private func violation(
      _ index: Int, _ type: TypeInfo, _ field: String, _ message: String
    ) -> SchemaViolation {
      SchemaViolation(
        typeName: type.name, fieldName: field,
        path: json.path(to: index, from: JSONDocument.rootIndex), message: message)
    }
  }
}

extension GraphQL.TypeInfo {
  /// The field for a response name: the field of that name, or of the part before the last `__`,
  /// since an alias contains no `__` and does not begin with `_`.
  func field(named responseName: String) -> GraphQL.FieldInfo? {
    if let field = field(responseName) { return field }
    let name = responseName.utf8
    var after = name.endIndex
    var wasUnderscore = false
    while after > name.startIndex {
      let index = name.index(before: after)
      let isUnderscore = name[index] == UInt8(ascii: "_")
      if isUnderscore, wasUnderscore { return field(String(responseName[..<index])) }
      wasUnderscore = isUnderscore
      after = index
    }
    return nil
  }
}
