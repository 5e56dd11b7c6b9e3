// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch

/// Notifies when another process may have committed to a store's file: each commit writes to the
/// lock file, see ``ProcessLock/announceCommit()``.
///
/// If the system notifies of file changes, the file is checked only seldom: for a commit whose process died
/// before it announced it. Otherwise (no instance is left, or the file system has no notifications), it
/// is checked often.
final class CommitObserver: Sendable {
  private let notifications: FileNotifications?
  private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - path: the file of the lock.
  ///   - notifies: false to check often, whatever the system supports.
  ///   - unannounced: the time between two checks if the system notifies.
  ///   - onChange: called on a queue that is not the caller's.
  init(
    _ path: String, notifies: Bool = true, unannounced: DispatchTimeInterval = .seconds(15),
    onChange: @escaping @Sendable () -> Void
  ) {
    notifications = notifies ? FileNotifications(path, onWrite: onChange) : nil
    let interval = notifications == nil ? .milliseconds(250) : unannounced
    let timer = DispatchSource.makeTimerSource(
      queue: DispatchQueue(label: "treeswift.store.commits", qos: .utility))
    timer.setEventHandler(handler: onChange)
    // The system may combine a rare check with other work.
    let leeway = notifications == nil ? DispatchTimeInterval.nanoseconds(0) : .seconds(5)
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: leeway)
    timer.activate()
    self.timer = timer
  }

  deinit { timer.cancel() }
}
