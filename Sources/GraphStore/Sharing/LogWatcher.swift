#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Dispatch
import GraphQLRuntime

/// Tells when the log of a store's file was written to, by whichever process.
///
/// The system's own notification costs nothing while nobody writes. During many writes it is looked at
/// every 50 ms, so that a process does not wake up for each commit of its own.
final class LogWatcher: Sendable {
  private static let pause = DispatchTimeInterval.milliseconds(50)

  private final class State: @unchecked Sendable {
    // Only touched on the queue, and by `deinit` when nobody else can.
    let source: any DispatchSourceProtocol
    var isSuspended = false

    init(_ source: any DispatchSourceProtocol) { self.source = source }

    /// A source that is suspended must not be let go of.
    func cancel() {
      source.cancel()
      if isSuspended { source.resume() }
    }
  }

  private let queue = DispatchQueue(label: "treeswift.store.watcher", qos: .utility)
  private let state: State

  /// - Parameters:
  ///   - path: the log, which is there while a connection is open.
  ///   - onChange: called on a queue of the watcher's.
  /// - Returns: nil where the system gives no notification.
  init?(_ path: String, onChange: @escaping @Sendable () -> Void) {
    guard let descriptor = Self.descriptor(path) else { return nil }
    let source = Self.source(descriptor, queue)
    let state = State(source)
    self.state = state
    source.setCancelHandler { close(descriptor) }
    source.setEventHandler { [weak state, queue] in
      Self.drain(descriptor)
      onChange()
      state?.source.suspend()
      state?.isSuspended = true
      queue.asyncAfter(deadline: .now() + Self.pause) { [weak state] in
        guard let state, state.isSuspended else { return }
        state.isSuspended = false
        state.source.resume()
      }
    }
    source.activate()
  }

  deinit {
    queue.async { [state] in state.cancel() }
  }

  #if canImport(Darwin)
    private static func descriptor(_ path: String) -> Int32? {
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      return descriptor < 0 ? nil : descriptor
    }

    private static func source(
      _ descriptor: Int32, _ queue: DispatchQueue
    ) -> any DispatchSourceProtocol {
      DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
    }

    private static func drain(_ descriptor: Int32) {}
  #else
    private static func descriptor(_ path: String) -> Int32? {
      let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    private static func source(
      _ descriptor: Int32, _ queue: DispatchQueue
    ) -> any DispatchSourceProtocol {
      DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    private static func drain(_ descriptor: Int32) {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
  #endif
}
