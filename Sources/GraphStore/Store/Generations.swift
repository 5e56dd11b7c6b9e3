import Synchronization

/// Counts the logouts of a store.
final class Generations: Sendable {
  private let count = Atomic<UInt64>(0)

  var current: UInt64 { count.load(ordering: .sequentiallyConsistent) }

  func advance() { count.add(1, ordering: .sequentiallyConsistent) }
}
