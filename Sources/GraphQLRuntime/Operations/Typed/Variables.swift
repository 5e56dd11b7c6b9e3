import GraphJSON

extension GraphQL {
  /// The variables of a typed operation, as they are sent.
  ///
  /// A single reference: the compiler then writes no functions that copy and destroy operations, but uses those of
  /// references.
  public struct Variables: Sendable {
    private var stored: StoredVariables

    /// No variables yet.
    public init<Data: SelectedDocument>(_ data: Data.Type) {
      let document = data._document()
      stored = StoredVariables(
        VariableValues(document: document.schema.requestCaches.loaded(document)))
    }

    /// Adds a value.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value) {
      change { $0.add(name, value) }
    }

    /// Adds a value; nil leaves the variable out.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value?) {
      if let value { _add(name, value) }
    }

    /// Adds a null for a variable that was left out.
    mutating func addNull(_ name: String) {
      change { $0.addNull(name) }
    }

    var values: VariableValues { stored.values }

    private mutating func change(_ body: (inout VariableValues) -> Void) {
      if !isKnownUniquelyReferenced(&stored) { stored = StoredVariables(stored.values) }
      body(&stored.values)
    }
  }

  // Safe: the values are only changed while the object has one reference.
  private final class StoredVariables: @unchecked Sendable {
    var values: VariableValues

    init(_ values: VariableValues) { self.values = values }
  }
}

extension GraphQL.Variables: CustomReflectable {
  /// The name of the operation. The values may be secrets, and are not shown.
  public var customMirror: Mirror {
    Mirror(self, children: ["operation": values.document.name])
  }
}
