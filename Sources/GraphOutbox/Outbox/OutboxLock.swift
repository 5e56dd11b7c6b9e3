import GraphQLRuntime
import GraphStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes sure that one outbox at a time works with a store's file, in this process and in all others.
///
/// The lock is on a file of the outbox's own beside the store's, and belongs to the descriptor: the system
/// releases it when the process ends, however it ends. An outbox that is closed keeps it until everything
/// that it has sent is settled (``Sender/stop()``), since the next one would send that again.
final class OutboxLock: Sendable {
  private struct State {
    var isClosed = false
    var isReleased = false
  }

  /// The locks that this process holds, by their paths.
  private static let held = Locked<[String: OutboxLock]>([:])

  private let path: String
  private let descriptor: Int32
  private let state = Locked(State())

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Whether nothing more is sent.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether another outbox may work with the file: nothing of this one may be written any more.
  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// Nothing more is sent from now on.
  func close() { state.withLock { $0.isClosed = true } }

  /// Closes as well, and lets another outbox work with the file.
  func release() {
    let isFirst = state.withLock { state in
      defer { state = State(isClosed: true, isReleased: true) }
      return !state.isReleased
    }
    guard isFirst else { return }
    Self.held.withLock { held in
      held[path] = nil
      Self.close(descriptor)
    }
  }
}

extension OutboxLock {
  private enum Attempt {
    case taken(OutboxLock)
    /// An outbox of this process has it that is closed and has something open.
    case closing
    case refused(String)
  }

  /// Takes the lock of a store's file.
  ///
  /// - Parameter patience: how long an outbox of this process is waited for that is closed.
  /// - Throws: ``OutboxError``: `alreadyOpen`; `StoreError`: `file`, `unsafePath`.
  static func take(besideStoreAt path: String, patience: Duration) async throws -> OutboxLock {
    let deadline = ContinuousClock.now + patience
    while true {
      switch try attempt(path + "-outbox") {
      case .taken(let lock): return lock
      case .refused(let owner):
        throw OutboxError(
          .alreadyOpen,
          "another outbox works with the store's file, \(owner): use that one, or close it first")
      case .closing:
        guard ContinuousClock.now < deadline else {
          throw OutboxError(
            .alreadyOpen,
            "an outbox of this process was closed, and still has operations on their way; "
              + "waited \(patience) for them: try again later")
        }
        // There is no notification of the release.
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  private static func attempt(_ path: String) throws(StoreError) -> Attempt {
    try held.withLock { held throws(StoreError) in
      if let other = held[path] {
        return other.isClosed ? .closing : .refused("in this process")
      }
      let descriptor = try FileSafety.open(path)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        defer { close(descriptor) }
        return .refused(
          owner(in: descriptor).map { "in the process \($0)" } ?? "in another process")
      }
      write(owner: getpid(), to: descriptor)
      let lock = OutboxLock(path: path, descriptor: descriptor)
      held[path] = lock
      return .taken(lock)
    }
  }

  /// The process that has the lock, by its note in the file.
  // Safe: at most as many bytes are read as the array has.
  private static func owner(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Int32(String(decoding: bytes.prefix(count), as: UTF8.self)) : nil
  }

  /// For the error message of an outbox that is refused; the lock does not depend on it.
  // Safe: the bytes of the array are written, all of them.
  private static func write(owner: Int32, to descriptor: Int32) {
    let bytes = Array(String(owner).utf8)
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
  }

  private static func close(_ descriptor: Int32) { _ = closeFile(descriptor) }
}

/// `close` of the C library, under a name that the methods do not hide.
private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }
