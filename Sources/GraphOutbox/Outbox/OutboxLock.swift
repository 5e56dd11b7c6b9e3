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
/// lets go of it when the process ends, however it ends. An outbox that is closed keeps it until what is
/// on its way has been settled, since the next one would send that again.
final class OutboxLock: Sendable {
  private struct State {
    var isClosed = false
    /// Operations that are on their way.
    var sending = 0
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

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Notes that an operation is about to be sent.
  ///
  /// - Returns: false for an outbox that is closed, which must not send it.
  func begin() -> Bool {
    state.withLock { state in
      if !state.isClosed { state.sending += 1 }
      return !state.isClosed
    }
  }

  /// Notes that an operation has been settled.
  func end() {
    let isLast = state.withLock { state in
      state.sending -= 1
      return state.isClosed && state.sending == 0
    }
    if isLast { release() }
  }

  /// Sends nothing more, and lets go of the file as soon as nothing is on its way.
  func close() {
    let isFree = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed && state.sending == 0
    }
    if isFree { release() }
  }

  private func release() {
    Self.held.withLock { held in
      held[path] = nil
      Self.close(descriptor)
    }
  }
}

extension OutboxLock {
  private enum Attempt {
    case taken(OutboxLock)
    /// By an outbox of this process that is closed, and has something on its way.
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
        // Nothing tells of it but the answers that it waits for.
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

  /// The process that has the lock, as it has noted there.
  // Safe: at most as many bytes are read as the array has.
  private static func owner(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Int32(String(decoding: bytes.prefix(count), as: UTF8.self)) : nil
  }

  /// For the message of whoever is refused; the lock does not depend on it.
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
