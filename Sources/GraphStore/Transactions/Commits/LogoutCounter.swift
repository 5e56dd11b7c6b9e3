import Synchronization

/// Counts the logouts of a store.
final class LogoutCounter: Sendable {
  private let count = Atomic<UInt64>(0)
  /// The last logout after which the user's data was removed from memory.
  private let finished = Atomic<UInt64>(0)

  var current: UInt64 { count.load(ordering: .sequentiallyConsistent) }

  /// Takes over the file's count.
  func update(to number: UInt64) { count.max(number, ordering: .sequentiallyConsistent) }

  /// Records that the data of earlier generations was removed from memory, or is about to be removed.
  ///
  /// - Returns: false if that was recorded before.
  @discardableResult
  func markFinished(_ number: UInt64) -> Bool {
    finished.max(number, ordering: .sequentiallyConsistent).oldValue < number
  }
}
