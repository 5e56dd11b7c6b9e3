// Safe: a semaphore may be used on any thread, and is not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import GraphQLRuntime

/// The right to use the one connection that writes to a file: a write lock among the stores of this
/// process first, then among processes.
final class WriteLock: Sendable {
  let processLock: ProcessLock
  private let name: String
  private let stores = DispatchSemaphore(value: 1)
  /// A forked process shares the lock with its parent: releasing it would take it from the parent.
  private let forks = Forks.count
  /// When this process last released the write lock, in nanoseconds of the system's clock.
  private let released = AtomicNumber<UInt64>(0)
  /// When this process last got the write lock.
  private let taken = AtomicNumber<UInt64>(0)

  /// A process that had the lock for this long, in nanoseconds, checks whether others wait before
  /// it takes the lock again. The others check only from time to time, and would miss the short
  /// time between a release and the next use of the lock.
  private static let longTime: UInt64 = ProcessLock.reportsWaiting ? 1_000_000 : 100_000_000

  /// - Parameter path: the store's file.
  init(path: String) throws(Graph.StoreError) {
    processLock = try ProcessLock(path: path + "-lock")
    name = path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Takes the write lock if it is free, until ``release()``.
  func tryToTake() -> Bool {
    guard !isInherited, stores.wait(timeout: .now()) == .success else { return false }
    if !yieldsToOthers, processLock.tryToTake() {
      taken.store(WaitLimit.now)
      return true
    }
    stores.signal()
    return false
  }

  /// Waits for the write lock, which ends with ``release()``.
  ///
  /// - Throws: `busy` after the limit; `file`, also in a process that has forked since the file was opened.
  func take(_ limit: WaitLimit) throws(Graph.StoreError) {
    if isInherited { throw .inherited }
    try enter(limit)
    do throws(Graph.StoreError) {
      if yieldsToOthers { processLock.yield() }
      try processLock.take(limit) { released.load() }
    } catch {
      stores.signal()
      throw error
    }
    taken.store(WaitLimit.now)
  }

  func release() {
    released.store(WaitLimit.now)
    // The parent may have forked while it had the lock.
    if !isInherited { processLock.release() }
    stores.signal()
  }

  /// Keeps the file's writing connection from other stores of this process during `body`, not from other
  /// processes.
  ///
  /// - Returns: nil if another store has it.
  func amongStores<T>(_ body: () -> T) -> T? {
    guard stores.wait(timeout: .now()) == .success else { return nil }
    defer { stores.signal() }
    return body()
  }

  /// Whether the process has forked since the file was opened.
  var isInherited: Bool { forks != Forks.count }

  private func enter(_ limit: WaitLimit) throws(Graph.StoreError) {
    while true {
      let end = end(of: limit)
      if stores.wait(timeout: DispatchTime(uptimeNanoseconds: end)) == .success { return }
      // Another store has had the write lock during the wait, so waiting starts again.
      guard self.end(of: limit) == end else { continue }
      throw Graph.StoreError(
        .busy,
        "waited \(limit.text) for another store of this process, which writes to '\(name)'")
    }
  }

  /// Waiting starts again whenever this process gets the lock, as a write may have waited for
  /// earlier ones.
  private func end(of limit: WaitLimit) -> UInt64 {
    limit.end(since: released.load())
  }

  /// Whether this process just had the lock for long and others wait.
  private var yieldsToOthers: Bool {
    let released = released.load()
    let taken = taken.load()
    return released > taken && released - taken > Self.longTime && processLock.isAwaited
  }
}
