// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import GraphQLRuntime

/// Tells when the log of a store's file may have been written to, by whichever process.
///
/// Where the system notifies of changes of files, nothing is done while nobody writes. Where it does
/// not (no instance is left, or the file system has no notifications), it is looked at the file in a
/// fixed rhythm.
final class LogWatcher: Sendable {
  /// When it is looked again after a notification: the log is written, then flushed, and only then is
  /// the commit visible, of which nobody is told.
  private static let delays: [DispatchTimeInterval] = [
    .milliseconds(50), .milliseconds(500), .seconds(5),
  ]
  private static let rhythm = DispatchTimeInterval.milliseconds(250)

  private let looks: Looks
  private let notifications: FileNotifications?

  /// - Parameters:
  ///   - path: the log, which is there while a connection is open.
  ///   - notifies: false to look in a fixed rhythm, whatever the system offers.
  ///   - onChange: called on a queue of the watcher's.
  init(_ path: String, notifies: Bool = true, onChange: @escaping @Sendable () -> Void) {
    let looks = Looks(Self.delays, onChange)
    self.looks = looks
    notifications =
      notifies ? FileNotifications(path) { [weak looks] in looks?.startAnew() } : nil
    if notifications == nil { looks.repeatForever(every: Self.rhythm) }
  }

  /// Looks at the file now and after each of some delays, with one timer.
  private final class Looks: Sendable {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "treeswift.store.watcher", qos: .utility)
    private let delays: [DispatchTimeInterval]
    private let onChange: @Sendable () -> Void
    /// How many of the delays are over.
    private let step = Locked(0)

    init(_ delays: [DispatchTimeInterval], _ onChange: @escaping @Sendable () -> Void) {
      self.delays = delays
      self.onChange = onChange
      timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.look() }
      timer.activate()
    }

    deinit { timer.cancel() }

    func startAnew() {
      step.withLock { $0 = 0 }
      timer.schedule(deadline: .now())
    }

    func repeatForever(every interval: DispatchTimeInterval) {
      step.withLock { $0 = delays.count }
      timer.schedule(deadline: .now() + interval, repeating: interval)
    }

    private func look() {
      let delay: DispatchTimeInterval? = step.withLock { step in
        guard step < delays.count else { return nil }
        step += 1
        return delays[step - 1]
      }
      if let delay { timer.schedule(deadline: .now() + delay) }
      onChange()
    }
  }
}
