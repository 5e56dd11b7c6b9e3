import GraphJSON
import GraphQLRuntime
import GraphStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ensures that only one outbox at a time uses a store's file, in this process and in all others.
///
/// The lock is on a file of the outbox's own next to the store's, and belongs to the descriptor:
/// the system releases it when the process ends for any reason. A closed outbox keeps it until all
/// operations that it has sent are settled (``Sender/stop()``), since the next one would send them
/// another time.
final class OutboxLock: Sendable {
  private struct State {
    var isClosed = false
    var isReleased = false
  }

  /// The locks of this process, by their paths.
  private static let held = Locked<[ExactKey: OutboxLock]>([:])

  private let path: String
  let descriptor: Int32
  private let state = Locked(State())

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Whether nothing more is sent.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether another outbox may use the file: this one must not write anything any more.
  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// Nothing more is sent from now on.
  func close() { state.withLock { $0.isClosed = true } }

  /// Sends nothing more from now on, and lets another outbox use the file.
  func release() {
    let isFirst = state.withLock { state in
      defer { state = State(isClosed: true, isReleased: true) }
      return !state.isReleased
    }
    guard isFirst else { return }
    Self.held.withLock { held in
      held[ExactKey(path)] = nil
      // Closing does not end the lock while a child process has a copy of the descriptor, between `fork` and `exec`.
      flock(descriptor, LOCK_UN)
      Self.close(descriptor)
    }
  }
}

extension OutboxLock {
  private enum Attempt {
    case taken(OutboxLock)
    /// A closed outbox of this process has the lock and has unsettled operations.
    case closing
    case refused(String)
  }

  /// Takes the lock of a store's file.
  ///
  /// - Parameter patience: how long to wait for a closed outbox of this process.
  /// - Throws: ``OutboxError``: `alreadyOpen`; `Graph.StoreError`: `file`, `unsafePath`.
  static func take(forStoreAt path: String, patience: Duration) async throws -> OutboxLock {
    let deadline = ContinuousClock.now + patience
    while true {
      switch try attempt(path + "-outbox") {
      case .taken(let lock): return lock
      case .refused(let owner):
        throw Graph.OutboxError(
          .alreadyOpen,
          "another outbox uses the store's file, \(owner): use that one, or close it first")
      case .closing:
        guard ContinuousClock.now < deadline else {
          throw Graph.OutboxError(
            .alreadyOpen,
            "a closed outbox of this process still has operations in progress; "
              + "waited \(patience) for them; try again later")
        }
        // There is no notification of the release.
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  private static func attempt(_ path: String) throws(Graph.StoreError) -> Attempt {
    try held.withLock { held throws(Graph.StoreError) in
      if let other = held[ExactKey(path)] {
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
      held[ExactKey(path)] = lock
      return .taken(lock)
    }
  }

  /// The process that has the lock, as stated in the file.
  // Safe: at most as many bytes are read as the array has.
  private static func owner(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Int32(String(decoding: bytes.prefix(count), as: UTF8.self)) : nil
  }

  /// Only for the error message of a refused outbox; the lock does not depend on it.
  // Safe: all bytes of the array are written.
  private static func write(owner: Int32, to descriptor: Int32) {
    let bytes = Array(String(owner).utf8)
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
  }

  private static func close(_ descriptor: Int32) { _ = closeFile(descriptor) }
}

/// `close` of the C library, under a name that the methods do not hide.
private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }
