import GraphQLRuntime

/// Counts the logouts of a store.
final class LogoutCounter: Sendable {
  private let count = AtomicNumber<UInt64>(0)
  /// The last logout after which the user's data was removed from memory.
  private let finished = AtomicNumber<UInt64>(0)

  var current: UInt64 { count.load() }

  /// Takes over the file's count.
  func update(to number: UInt64) { count.raise(to: number) }

  /// Records that the data of earlier generations was removed from memory, or is about to be removed.
  ///
  /// - Returns: false if that was recorded before.
  @discardableResult
  func markFinished(_ number: UInt64) -> Bool {
    finished.raise(to: number) < number
  }
}
