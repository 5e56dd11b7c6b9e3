extension GraphQL {
  /// An input object (specification: 3.10 Input Objects). Generated structs adopt it.
  public protocol InputObject: InputValue, CustomStringConvertible {
    /// The fields that were set so far.
    var _fields: InputFields { get set }
  }

  /// An input object of which exactly one field is sent (specification: 3.10.1 OneOf Input
  /// Objects). Generated enums adopt it.
  public protocol OneOfInput: InputValue, CustomStringConvertible {
    /// The field that is sent.
    var _field: (name: StaticString, value: any InputValue) { get }
  }

  /// The fields of an input object that were set, in the order in which they were first set.
  public struct InputFields: Sendable {
    private var entries: [Entry] = []
    /// The field that was left out by the last change; nil after a change that sets a field.
    fileprivate var leftOut: String?
    /// Whether a key path for a null did not lead to one field.
    private var hasInvalidNull = false

    private struct Entry: Sendable {
      let name: String
      /// nil is an explicit null.
      var value: (any InputValue)?
    }

    /// No field is set.
    public init() {}

    /// Sets a field.
    public mutating func set<Value: InputValue>(_ name: String, _ value: Value) {
      store(name, value)
    }

    /// Sets a field, or leaves it out.
    public mutating func set<Value: InputValue>(_ name: String, _ value: Value?) {
      if let value { return store(name, value) }
      entries.removeAll { $0.name == name }
      leftOut = name
    }

    /// Sets the field to null that the last change left out.
    fileprivate mutating func setNullToLeftOut() {
      if let name = leftOut { store(name, nil) } else { hasInvalidNull = true }
    }

    /// A required field's value.
    public func required<Value: InputValue>(_ name: String) -> Value {
      // The initialiser sets every required field, and only the typed setter changes it.
      entry(name)?.value as! Value
    }

    /// A field's value; nil if it is null or left out.
    public func optional<Value: InputValue>(_ name: String) -> Value? {
      entry(name)?.value as? Value
    }

    private mutating func store(_ name: String, _ value: (any InputValue)?) {
      leftOut = nil
      if let position = entries.firstIndex(where: { $0.name == name }) {
        entries[position].value = value
      } else {
        entries.append(Entry(name: name, value: value))
      }
    }

    private func entry(_ name: String) -> Entry? {
      entries.first { $0.name == name }
    }

    func write(to writer: inout ValueWriter) {
      if hasInvalidNull {
        return writer.fail("`null` needs the key path of a field of the input object itself")
      }
      writer.object { writer in
        for entry in entries {
          writer.member(entry.name) { writer in
            if let value = entry.value { value._write(to: &writer) } else { writer.null() }
          }
        }
      }
    }
  }
}

extension GraphQL.InputObject {
  /// The input object with an explicit null in a field, in place of its value.
  ///
  /// The query becomes an ``InvalidQuery`` if the schema does not allow null there, or if the key path leads to a
  /// field of another object.
  public func null<Value: GraphQL.InputValue>(_ field: WritableKeyPath<Self, Value?>) -> Self {
    var copy = self
    copy._fields.leftOut = nil
    copy[keyPath: field] = nil
    copy._fields.setNullToLeftOut()
    return copy
  }

  public func _write(to writer: inout GraphQL.ValueWriter) { _fields.write(to: &writer) }

  /// The value as a GraphQL literal.
  public var description: String { GraphQL.literal(self) }
}

extension GraphQL.OneOfInput {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    let (name, value) = _field
    writer.object { $0.member("\(name)") { value._write(to: &$0) } }
  }

  /// The value as a GraphQL literal.
  public var description: String { GraphQL.literal(self) }
}

extension GraphQL {
  static func literal(_ value: some InputValue) -> String {
    var writer = ValueWriter(.literal)
    value._write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

// Only for the compiler's message.
extension Optional where Wrapped: GraphQL.InputValue {
  @available(
    *, unavailable,
    message:
      "write .null(\"argument\") before the field, .null(\\.field) after an input object, or .null(\"variable\") after an operation"
  )
  public static var null: Self { fatalError("unavailable") }
}
