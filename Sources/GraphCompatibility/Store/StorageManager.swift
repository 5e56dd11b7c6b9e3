import GraphStore

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
