// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch

/// Notifies when another process may have committed to a store's file: each commit writes to the
/// lock file, see ``ProcessLock/announceCommit()``.
///
/// If the system notifies of file changes, nothing is done while there are no writes. Otherwise (no
/// instance is left, or the file system has no notifications), the file is checked at a fixed
/// interval.
final class CommitObserver: Sendable {
  private static let interval = DispatchTimeInterval.milliseconds(250)

  private let notifications: FileNotifications?
  private let timer: (any DispatchSourceTimer)?

  /// - Parameters:
  ///   - path: the file of the lock.
  ///   - notifies: false to check at a fixed interval, whatever the system supports.
  ///   - onChange: called on a queue that is not the caller's.
  init(_ path: String, notifies: Bool = true, onChange: @escaping @Sendable () -> Void) {
    notifications = notifies ? FileNotifications(path, onWrite: onChange) : nil
    guard notifications == nil else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(
      queue: DispatchQueue(label: "treeswift.store.commits", qos: .utility))
    timer.setEventHandler(handler: onChange)
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
    timer.activate()
    self.timer = timer
  }

  deinit { timer?.cancel() }
}
