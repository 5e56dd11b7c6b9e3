import GraphQLRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Counts the forks that led to this process since the first file was opened.
enum Forks {
  private static let number = AtomicNumber(0)

  /// The handler runs in the child and only counts. The number exists before, since its creation in the
  /// child could wait for a thread that only the parent has.
  private static let isCounting: Bool = {
    _ = number
    return pthread_atfork(nil, nil, { Forks.number.add(1) }) == 0
  }()

  static var count: Int {
    _ = isCounting
    return number.load()
  }
}
