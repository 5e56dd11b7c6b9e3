/// Separates reading from writing: reading is possible everywhere, writing only through one
/// background writer.
///
/// ``Store`` is the one implementation; a store in memory is for tests.
public protocol StorageManager: Sendable {
  /// The type for reading without writing.
  associatedtype View: Storage & Sendable

  /// The committed state, read-only: it has no method that writes.
  var viewStorage: View { get }

  /// Runs `operation` on the background writer, in the order of the calls, and commits what it did.
  ///
  /// - Returns: the result of `operation`, after the commit. Only a Sendable value can be returned.
  /// - Throws: errors of `operation`; then all of its changes are undone.
  func performAndSave<Result: Sendable>(
    _ operation: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result

  /// Deletes everything, including unsent work, and notifies every observer. Responses to earlier
  /// requests are no longer stored.
  func reset() async throws
}

/// The committed state of a store, read-only.
public struct ViewStorage: Storage, Sendable {
  let committed: CommittedRecords

  public var _reader: StorageReader {
    StorageReader(policies: committed.policies, reading: committed)
  }
}

extension Store: StorageManager, Storage {
  public var viewStorage: ViewStorage { ViewStorage(committed: committed) }

  public var _reader: StorageReader { viewStorage._reader }

  public func performAndSave<Result: Sendable>(
    _ operation: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await writer.perform(operation)
  }

  public func reset() async throws {
    _ = try await deleteAll(of: .everything)
  }

  /// Whether objects of some types must not be in the file.
  package var keepsSomeInMemory: Bool { !committed.policies.areAllStored }

  /// The number of objects of each type that has any.
  public func counts() throws(StoreError) -> [String: Int] {
    try committed.withSnapshot { snapshot throws(StoreError) in try snapshot.counts() }
  }
}
