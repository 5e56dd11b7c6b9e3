/// `operations`: how the documents of a module are generated.
///
/// ```json
/// { "operations": { "namespace": "Shop" } }
/// ```
public struct OperationOptions: Sendable, Equatable {
  /// `namespace`: the Swift enum that contains the types of operations and fragments. Without it, they
  /// are at the top level of the module.
  public var namespace: Located<String>?

  /// Options with the given values, and defaults for the others.
  public init(namespace: Located<String>? = nil) {
    self.namespace = namespace
  }
}
