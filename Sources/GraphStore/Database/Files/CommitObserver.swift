// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch

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
