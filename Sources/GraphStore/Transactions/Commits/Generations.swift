import Synchronization

/// Counts the logouts of a store.
final class Generations: Sendable {
  private let count = Atomic<UInt64>(0)
  /// The last logout after which nothing of the user was left in memory.
  private let finished = Atomic<UInt64>(0)

  var current: UInt64 { count.load(ordering: .sequentiallyConsistent) }

  /// Takes over the file's count.
  func see(_ number: UInt64) { count.max(number, ordering: .sequentiallyConsistent) }

  /// Notes that what belonged to the user of an earlier generation is gone from memory, or about to go.
  ///
  /// - Returns: whether that was not known.
  @discardableResult
  func finish(_ number: UInt64) -> Bool {
    finished.max(number, ordering: .sequentiallyConsistent).oldValue < number
  }
}
