// Safe: a semaphore may be used on any thread, and is not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import Synchronization

/// The right to use the one connection that writes to a file: the stores of this process take turns first,
/// then processes do.
final class WriteTurn: Sendable {
  let lock: ProcessLock
  private let name: String
  private let stores = DispatchSemaphore(value: 1)
  /// A process that has forked since shares the lock with its parent: letting go of it would take it from
  /// the parent.
  private let forks = Forks.count
  /// When this process had its turn last, in nanoseconds of the system's clock.
  private let released = Atomic<UInt64>(0)
  /// When it got the present one.
  private let taken = Atomic<UInt64>(0)

  /// A process that had the lock for so long, in nanoseconds, looks whether others wait before it takes the
  /// lock again: they look once in a while and would not meet the moment between two turns.
  private static let longTurn: UInt64 = ProcessLock.tellsWhetherAwaited ? 1_000_000 : 100_000_000

  /// - Parameter path: the store's file.
  init(path: String) throws(StoreError) {
    lock = try ProcessLock(path: path + "-lock")
    name = path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Takes the turn if nobody has it, until ``release()``.
  func tryToTake() -> Bool {
    guard !isInherited, stores.wait(timeout: .now()) == .success else { return false }
    if !isGreedy, lock.tryToTake() {
      taken.store(WaitLimit.now, ordering: .relaxed)
      return true
    }
    stores.signal()
    return false
  }

  /// Waits for the turn, which ends with ``release()``.
  ///
  /// - Throws: `busy` after the limit; `file`, also in a process that has forked since the file was opened.
  func take(_ limit: WaitLimit) throws(StoreError) {
    if isInherited { throw .inherited }
    try enter(limit)
    do throws(StoreError) {
      if isGreedy { lock.letOthersGoFirst() }
      try lock.take(limit) { released.load(ordering: .relaxed) }
    } catch {
      stores.signal()
      throw error
    }
    taken.store(WaitLimit.now, ordering: .relaxed)
  }

  func release() {
    released.store(WaitLimit.now, ordering: .relaxed)
    // The parent may have forked during its turn.
    if !isInherited { lock.release() }
    stores.signal()
  }

  /// Keeps the file's writing connection from other stores of this process during `body`, not from other
  /// processes.
  ///
  /// - Returns: nil where another store has it.
  func amongStores<T>(_ body: () -> T) -> T? {
    guard stores.wait(timeout: .now()) == .success else { return nil }
    defer { stores.signal() }
    return body()
  }

  /// Whether the process has forked since the file was opened.
  var isInherited: Bool { forks != Forks.count }

  private func enter(_ limit: WaitLimit) throws(StoreError) {
    while true {
      let end = end(of: limit)
      if stores.wait(timeout: DispatchTime(uptimeNanoseconds: end)) == .success { return }
      // Another store has had its turn meanwhile: what is waited for goes on.
      guard self.end(of: limit) == end else { continue }
      throw StoreError(
        .busy,
        "waited \(limit.text) for another store of this process, which writes to '\(name)'")
    }
  }

  /// Waiting begins anew with each turn of this process, as a write may have waited for those before it.
  private func end(of limit: WaitLimit) -> UInt64 {
    limit.end(since: released.load(ordering: .relaxed))
  }

  /// Whether this process had a long turn just now and others wait.
  private var isGreedy: Bool {
    let released = released.load(ordering: .relaxed)
    let taken = taken.load(ordering: .relaxed)
    return released > taken && released - taken > Self.longTurn && lock.isAwaited
  }
}

/// How long something is waited for, from when on.
struct WaitLimit: Sendable {
  let limit: Duration
  let start: UInt64

  /// - Parameter start: in nanoseconds, see ``now``; by default now.
  init(_ limit: Duration, since start: UInt64 = WaitLimit.now) {
    self.limit = limit
    self.start = start
  }

  /// Nanoseconds of the system's clock, without the time that the machine sleeps.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// - Parameter other: counts as the start where it is later.
  func end(since other: UInt64 = 0) -> UInt64 {
    let (seconds, attoseconds) = limit.components
    // A limit of centuries is none.
    let whole = UInt64(min(max(0, seconds), 1 << 32)) * 1_000_000_000
    return max(start, other) + whole + UInt64(max(0, attoseconds) / 1_000_000_000)
  }

  /// What is left of the limit in milliseconds, as SQLite takes it.
  var milliseconds: Int32 {
    let (end, now) = (end(), Self.now)
    return end > now ? Int32(clamping: (end - now) / 1_000_000) : 0
  }

  /// The limit for messages.
  var text: String { "\(limit)" }
}
