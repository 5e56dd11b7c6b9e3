import GraphJSON

/// The expected effect of an operation on an object. The JSON has the field names of the schema.
package enum ExpectedChange: Sendable, Hashable {
  /// The object is created. Objects in its fields may be new as well.
  case create(JSON)
  /// The object has these values, if it exists.
  case update(JSON)
  /// The object is deleted.
  case delete

  var isCreation: Bool { if case .create = self { true } else { false } }
}
