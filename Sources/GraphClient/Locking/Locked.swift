import Foundation

/// A value that one thread at a time can touch.
///
/// It stands in for Synchronization's `Mutex`, whose hand-over between threads ThreadSanitizer does
/// not see on Linux: with that, every run under it would report races that are none, and hide those
/// that are.
///
/// `@unchecked Sendable` holds since the value is reached under the lock only.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
