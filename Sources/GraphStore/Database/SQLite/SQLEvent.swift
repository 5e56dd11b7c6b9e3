/// An action of a connection, for tests that check the statements of an operation.
enum SQLEvent: Hashable, Sendable {
  /// A statement was compiled.
  case prepare(String)
  /// A statement was started.
  case run(String)
}

/// Receives the events of all connections of one store.
typealias SQLRecorder = @Sendable (SQLEvent) -> Void
