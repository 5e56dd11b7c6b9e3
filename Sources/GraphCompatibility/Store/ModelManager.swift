import GraphQLRuntime

extension GraphQL {
  /// A ``/GraphQLRuntime/GraphQL/ResponseStore`` that keeps the objects of responses, and finds them by their keys.
  ///
  /// `Graph.Store` is one. Your own implementation also meets these conditions:
  ///
  /// - An object is identified by its key: a known object is updated, never created twice.
  /// - Fields that a response does not have stay as they are, and so do those that an error made null.
  ///
  /// `ModelManagerConformance` of GraphCompatibilityTesting checks both.
  public protocol ModelManager: ResponseStore {
    /// The result of a write, such as the keys of its objects.
    associatedtype WriteResult: Sendable = Void

    /// The object of a type with a key; nil when it is not kept.
    func object<Object: AbstractResponse>(
      _ type: Object.Type, key: String
    ) async throws -> Object?

    /// The objects with those keys, with nil in place of each that is not kept.
    func objects<Object: AbstractResponse>(
      _ type: Object.Type, keys: [String]
    ) async throws -> [Object?]

    /// Creates or updates objects from JSON, one or a list of them, whose keys are the type's
    /// fields.
    @discardableResult
    func write(json: [UInt8], as type: AbstractResponse.Type) async throws -> WriteResult

    /// Deletes an object.
    func purge(_ type: AbstractResponse.Type, key: String) async throws

    /// Deletes the objects of a type that satisfy a condition.
    func purge<Object: AbstractResponse>(
      _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
    ) async throws

    /// The object in its current state; nil if it was deleted, or has no key.
    func refresh<Object: AbstractResponse>(_ object: Object) async throws -> Object?
  }
}
