#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

/// Counts the forks that led to this process since the first file was opened.
enum Forks {
  private static let number = Atomic<Int>(0)

  /// The handler runs in the child and only counts.
  private static let isCounting: Bool =
    pthread_atfork(nil, nil, { Forks.number.add(1, ordering: .relaxed) }) == 0

  static var count: Int {
    _ = isCounting
    return number.load(ordering: .relaxed)
  }
}
