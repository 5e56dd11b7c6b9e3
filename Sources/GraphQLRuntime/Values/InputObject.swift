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

    private struct Entry: Sendable {
      let name: String
      /// nil is an explicit null.
      var value: (any InputValue)?
    }

    /// No field is set.
    public init() {}

    /// Sets a required field.
    public mutating func set<Value: InputValue>(_ name: String, _ value: Value) {
      store(name, value)
    }

    /// Sets a nullable field to a value or to null, or leaves it out.
    public mutating func set<Value: InputValue>(_ name: String, _ input: Input<Value>) {
      switch input {
      case .undefined: entries.removeAll { $0.name == name }
      case .null: store(name, nil)
      case .value(let value): store(name, value)
      }
    }

    /// A required field's value.
    public func required<Value: InputValue>(_ name: String) -> Value {
      // The initialiser sets every required field, and only the typed setter changes it.
      entry(name)?.value as! Value
    }

    /// A nullable field's state.
    public func input<Value: InputValue>(_ name: String) -> Input<Value> {
      guard let entry = entry(name) else { return .undefined }
      guard let value = entry.value as? Value else { return .null }
      return .value(value)
    }

    private mutating func store(_ name: String, _ value: (any InputValue)?) {
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
