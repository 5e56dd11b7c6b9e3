#if canImport(Darwin)
  import Darwin
  // Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
  @unsafe @preconcurrency import Dispatch

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
