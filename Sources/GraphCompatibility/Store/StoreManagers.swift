import Dispatch
import GraphQLRuntime
import GraphStore

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

extension Graph.Store: GraphQL.ModelManager {
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type
  ) async throws -> Graph.WriteSummary {
    try await write(json: json, as: type, mode: .upsert)
  }

  public func purge(_ type: GraphQL.AbstractResponse.Type, key: String) async throws {
    try await write { try $0.delete(type, key: key) }
  }

  public func purge<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
  ) async throws {
    try await write { try $0.delete(type, where: condition) }
  }

  public func refresh<Object: GraphQL.AbstractResponse>(_ object: Object) throws -> Object? {
    try key(of: object).flatMap { try self.object(Object.self, key: $0.key) }
  }
}

extension Graph.Store {
  /// Stores objects from JSON and calls `completion` on the main queue.
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping(),
    completion: @escaping @MainActor @Sendable (Result<Graph.WriteSummary, any Error>) -> Void
  ) {
    perform {
      try $0.write(json: json, as: type, mode: mode, mapping: mapping)
    } completion: { result in
      DispatchQueue.main.async { completion(result) }
    }
  }
}

/// Separates reading from writing: reading is possible everywhere, writing only through one
/// background writer.
///
/// `Graph.Store` is the one implementation; a store in memory is for tests.
public protocol StorageManager: Sendable {
  /// The type for reading without writing.
  associatedtype View: Graph.ObjectReading & Sendable

  /// The committed state, read-only: it has no method that writes.
  var viewStorage: View { get }

  /// Runs `operation` on the background writer, in the order of the calls, and commits what it did.
  ///
  /// - Returns: the result of `operation`, after the commit. Only a Sendable value can be returned.
  /// - Throws: errors of `operation`; then all of its changes are undone.
  func performAndSave<Result: Sendable>(
    _ operation: @escaping @Sendable (Graph.Transaction) throws -> Result
  ) async throws -> Result

  /// Deletes everything, including unsent work, and notifies every observer. Responses to earlier
  /// requests are no longer stored.
  func reset() async throws
}

/// The committed state of a store, read-only.
public struct ViewStorage: Graph.ObjectReading, Sendable {
  let state: CommittedState

  public var _reader: Graph.ObjectReader { state._reader }
}

extension Graph.Store: StorageManager {
  public var viewStorage: ViewStorage { ViewStorage(state: committedState) }

  public func performAndSave<Result: Sendable>(
    _ operation: @escaping @Sendable (Graph.Transaction) throws -> Result
  ) async throws -> Result {
    try await write(operation)
  }

  /// Like ``/GraphStore/GraphQLRuntime/Graph/Store/logout(_:)`` with `everything`, but the deleted data stays in the
  /// file's log until the next checkpoint.
  public func reset() async throws {
    _ = try await deleteAll(of: .everything)
  }
}
