// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import GraphQLRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Notifies when another process may have committed to a store's file: each commit writes to the
/// lock file, see ``ProcessLock/announceCommit()``.
///
/// Without notifications of the system (no instance is left, or the file system has none), the file is
/// checked often. On Apple platforms it is checked seldom in any case, for a commit whose process was killed
/// before it announced it. With inotify, the end of that process is a notification.
final class CommitObserver: Sendable {
  #if canImport(Darwin)
    static let unannouncedInterval: DispatchTimeInterval? = .seconds(15)
  #else
    static let unannouncedInterval: DispatchTimeInterval? = nil
  #endif

  private let notifications: FileNotifications?
  private let timer: (any DispatchSourceTimer)?

  /// - Parameters:
  ///   - path: the file of the lock.
  ///   - notifies: false to check often, whatever the system supports.
  ///   - unannounced: the time between two checks if the system notifies; nil for no checks.
  ///   - onChange: called on a queue that is not the caller's.
  init(
    _ path: String, notifies: Bool = true,
    unannounced: DispatchTimeInterval? = CommitObserver.unannouncedInterval,
    onChange: @escaping @Sendable () -> Void
  ) {
    notifications = notifies ? FileNotifications(path, onWrite: onChange) : nil
    guard let interval = notifications == nil ? .milliseconds(250) : unannounced else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(
      queue: DispatchQueue(label: "treeswift.store.commits", qos: .utility))
    timer.setEventHandler(handler: onChange)
    // The system may combine a rare check with other work.
    timer.schedule(
      deadline: .now() + interval, repeating: interval,
      leeway: notifications == nil ? .nanoseconds(0) : .seconds(5))
    timer.activate()
    self.timer = timer
  }

  deinit { timer?.cancel() }
}

#if canImport(Darwin)
  /// The system's notifications of the writes to a file, while this object lives.
  final class FileNotifications: Sendable {
    private let source: any DispatchSourceFileSystemObject

    /// - Returns: nil if the system has no notifications.
    // Safe: the path is a string that the call borrows.
    init?(_ path: String, onWrite: @escaping @Sendable () -> Void) {
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend],
        queue: DispatchQueue(label: "treeswift.store.notifications", qos: .utility))
      source.setCancelHandler { close(descriptor) }
      source.setEventHandler(handler: onWrite)
      source.activate()
    }

    deinit { source.cancel() }
  }
#else
  /// The system's notifications of the writes to a file, while this object lives.
  final class FileNotifications: Sendable {
    private let notifier: Inotify
    private let token: Inotify.Token

    /// - Returns: nil if the system has no notifications.
    init?(_ path: String, onWrite: @escaping @Sendable () -> Void) {
      guard let notifier = Inotify.shared, let token = notifier.watch(path, onWrite) else {
        return nil
      }
      self.notifier = notifier
      self.token = token
    }

    deinit { notifier.unwatch(token) }
  }
#endif

#if canImport(Glibc) || canImport(Musl)
  /// The one inotify instance of this process.
  ///
  /// By default a user may have 128 instances in total, and that many stores are not unusual. The
  /// watches of an instance have a separate limit, in the ten thousands.
  final class Inotify: Sendable {
    /// Nil if the system has no instance left.
    static let shared = Inotify()

    struct Token: Hashable, Sendable {
      fileprivate let watch: Int32
      fileprivate let number: Int
    }

    private struct Handlers: Sendable {
      var next = 0
      /// The handlers by watch: a file has one watch, however often it is monitored.
      var byWatch: [Int32: [Int: @Sendable () -> Void]] = [:]
    }

    /// The end of a process closes its files: this detects a process that has committed and is
    /// killed before it could write.
    private static let events = UInt32(IN_MODIFY | IN_CLOSE_WRITE)
    /// A process should not wake for each commit of its own, so events are collected for this long.
    private static let pause = DispatchTimeInterval.milliseconds(50)

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "treeswift.store.inotify", qos: .utility)
    private let source: any DispatchSourceRead
    private let handlers = Locked(Handlers())

    private init?() {
      descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [unowned self] in
        deliver()
        source.suspend()
        queue.asyncAfter(deadline: .now() + Self.pause) { [unowned self] in source.resume() }
      }
      source.activate()
    }

    /// - Returns: nil if the system has no watch left, or the file does not exist.
    // Safe: the path is a string that the call borrows.
    func watch(_ path: String, _ handler: @escaping @Sendable () -> Void) -> Token? {
      handlers.withLock { handlers in
        let watch = unsafe inotify_add_watch(descriptor, path, Self.events)
        guard watch >= 0 else { return nil }
        handlers.next += 1
        handlers.byWatch[watch, default: [:]][handlers.next] = handler
        return Token(watch: watch, number: handlers.next)
      }
    }

    func unwatch(_ token: Token) {
      // The last reference to a value that a handler captures must not end under the lock.
      let last = handlers.withLock { handlers in
        let handler = handlers.byWatch[token.watch]?.removeValue(forKey: token.number)
        if handlers.byWatch[token.watch]?.isEmpty == true {
          handlers.byWatch[token.watch] = nil
          inotify_rm_watch(descriptor, token.watch)
        }
        return handler
      }
      _ = last
    }

    private func deliver() {
      let watches = takeEvents()
      let concerned = handlers.withLock { handlers in
        // The kernel's queue was full: any file may have been written to.
        if watches.contains(-1) { return handlers.byWatch.values.flatMap(\.values) }
        return watches.flatMap { handlers.byWatch[$0].map { Array($0.values) } ?? [] }
      }
      for handler in concerned { handler() }
    }

    /// The watches with events.
    // Safe: the kernel writes whole events, and one is read only if its header is filled.
    private func takeEvents() -> Set<Int32> {
      let header = MemoryLayout<inotify_event>.size
      return unsafe withUnsafeTemporaryAllocation(
        byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment
      ) { buffer in
        var watches: Set<Int32> = []
        while true {
          let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
          guard count > 0 else { return watches }
          var offset = 0
          while offset + header <= count {
            let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
            watches.insert(event.wd)
            offset += header + Int(event.len)
          }
        }
      }
    }
  }
#endif
