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
  /// When it is looked again after the log was written to.
  private static let delays = [
    DispatchTimeInterval.milliseconds(50), .milliseconds(500), .seconds(5),
  ]

  /// The source and whether it rests.
  ///
  /// `@unchecked Sendable` holds since it is only touched on the queue.
  private final class State: @unchecked Sendable {
    private let source: any DispatchSourceProtocol
    private var isResting = false
    private var isCancelled = false

    init(_ source: any DispatchSourceProtocol) { self.source = source }

    func rest() {
      guard !isResting, !isCancelled else { return }
      isResting = true
      source.suspend()
    }

    func wake() {
      guard isResting else { return }
      isResting = false
      source.resume()
    }

    func cancel() {
      isCancelled = true
      source.cancel()
      // A source that is suspended must not be let go of.
      wake()
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
      state?.rest()
      queue.asyncAfter(deadline: .now() + Self.pause) { [weak state] in state?.wake() }
      // The log is written, then flushed, and only then is the commit visible, which notifies nobody.
      for delay in Self.delays {
        queue.asyncAfter(deadline: .now() + delay) { [weak state] in
          if state != nil { onChange() }
        }
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
