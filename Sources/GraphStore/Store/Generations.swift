import Synchronization

/// Counts the logouts of a store.
final class Generations: Sendable {
  private let count = Atomic<UInt64>(0)

  var current: UInt64 { count.load(ordering: .sequentiallyConsistent) }

  /// Takes over the file's count.
  func see(_ number: UInt64) { count.max(number, ordering: .sequentiallyConsistent) }
}
