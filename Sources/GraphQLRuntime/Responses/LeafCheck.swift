import GraphJSON

extension GraphQL {
  /// Checks a value that is not null and not a list against a scalar or enum
  /// (specification: 3.5 Scalars, Result Coercion).
  package struct LeafCheck {
    private let json: JSONDocument

    package init(_ json: JSONDocument) { self.json = json }

    /// The problem with the value, or nil if there is none.
    func problem(_ value: Int, _ named: NamedType) -> String? {
      let kind = json.kind(at: value)
      switch named {
      case .string, .enumeration:
        return kind == .string ? nil : "expected a string, found \(kind.noun)"
      case .int:
        guard kind == .number else { return "expected an integer, found \(kind.noun)" }
        return json.int32(at: value) == nil ? "expected a 32-bit integer" : nil
      case .float:
        guard kind == .number else { return "expected a number, found \(kind.noun)" }
        return json.double(at: value) == nil ? "the number is too large for a Double" : nil
      case .boolean:
        return kind == .bool ? nil : "expected true or false, found \(kind.noun)"
      case .id:
        if kind == .string { return nil }
        guard kind == .number else { return "expected an ID, found \(kind.noun)" }
        return json.int64(at: value) == nil
          ? "expected an ID, found a number that is not a 64-bit integer" : nil
      case .scalar(nil):
        return nil
      case .scalar(let type?):
        return problem(value, type)
      case .composite, .input:
        return "expected an object, found \(kind.noun)"
      }
    }

    /// Whether a value has the form of its field's type, without checking the contents of objects.
    /// For fields that were not selected, which nothing else has checked.
    package func accepts(_ value: Int, _ field: FieldInfo) -> Bool {
      accepts(value, field, field.type.wrapping)
    }

    private func accepts(_ value: Int, _ field: FieldInfo, _ wrapping: Wrapping) -> Bool {
      let nullable = wrapping.outermost == .nonNull ? wrapping.inner : wrapping
      if json.isNull(at: value) { return wrapping.outermost != .nonNull }
      guard nullable.outermost == .list else {
        if case .composite = field.named { return json.kind(at: value) == .object }
        return problem(value, field.named) == nil
      }
      guard json.kind(at: value) == .array else { return false }
      let end = json.end(of: value)
      var element = json.firstChild(of: value)
      while element < end {
        guard accepts(element, field, nullable.inner) else { return false }
        element = json.next(after: element)
      }
      return true
    }

    private func problem(_ value: Int, _ type: any Scalar.Type) -> String? {
      do {
        _ = try type.init(scalar: json.json(at: value))
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
