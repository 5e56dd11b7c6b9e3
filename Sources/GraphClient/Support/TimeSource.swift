// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import Foundation
import GraphQLRuntime

extension Graph {
  /// The client's source of time and random numbers, so that tests do not have to wait.
  package protocol TimeSource: Sendable {
    var now: Timestamp { get }
    func sleep(for duration: Duration) async throws
    /// From 0 up to, but not including, 1.
    func random() -> Double
    /// Calls `action` once, when `duration` has passed, unless the action is cancelled before.
    func schedule(after duration: Duration, _ action: @escaping @Sendable () -> Void)
      -> ScheduledAction
  }

  /// An action that runs at a point in time, unless it is cancelled before.
  package struct ScheduledAction: Sendable {
    package let cancel: @Sendable () -> Void

    package init(cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
  }

  package struct SystemTime: TimeSource {
    package init() {}

    package var now: Timestamp { .now }

    package func sleep(for duration: Duration) async throws {
      try await Task.sleep(for: duration, clock: .continuous)
    }

    package func random() -> Double { Double.random(in: 0..<1) }
  }
}

extension Graph.TimeSource {
  /// Uses the machine's own clock.
  package func schedule(
    after duration: Duration, _ action: @escaping @Sendable () -> Void
  ) -> Graph.ScheduledAction {
    let scheduler = Graph.ActionScheduler.shared
    let id = scheduler.add(.now + duration, action: action)
    return Graph.ScheduledAction { scheduler.remove(id) }
  }
}

extension Duration {
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension Graph {
  /// A point in time that survives clock changes: the wall clock, and the time since this boot of
  /// the machine.
  public struct Timestamp: Sendable, Hashable {
    /// Since 1970, by the wall clock.
    public var wall: Duration
    /// Since the machine started, sleep included. It never jumps.
    public var uptime: Duration
    /// Identifies the boot from which `uptime` counts.
    public var boot: String

    /// A point in time.
    public init(wall: Duration, uptime: Duration, boot: String) {
      self.wall = wall
      self.uptime = uptime
      self.boot = boot
    }

    /// The time from this point to `now`.
    ///
    /// Within one boot the wall clock does not count. Across boots, only the wall clock is
    /// available. Since this was before the boot, the age is at least `now`'s uptime, and a clock
    /// that was set back makes the age unknown.
    ///
    /// - Returns: nil if it is unknown; treat it as old.
    public func age(at now: Timestamp) -> Duration? {
      if boot == now.boot { return now.uptime >= uptime ? now.uptime - uptime : nil }
      guard now.wall >= wall else { return nil }
      return max(now.wall - wall, now.uptime)
    }
  }
}

extension Graph.Timestamp {
  /// The current time.
  public static var now: Graph.Timestamp {
    #if os(Linux)
      let uptime = time(of: CLOCK_BOOTTIME)
    #else
      let uptime = time(of: CLOCK_MONOTONIC)
    #endif
    return Graph.Timestamp(wall: time(of: CLOCK_REALTIME), uptime: uptime, boot: currentBoot)
  }

  // Safe: the clock fills a local variable of the type that it expects.
  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// A name that changes with each boot.
  // Safe: the system fills as many bytes of the array as `size` states, which it returned before.
  private static let currentBoot: String = {
    #if os(Linux)
      let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      if let text { return text.trimmingCharacters(in: .whitespacesAndNewlines) }
    #else
      var size = 0
      if unsafe sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 {
        var bytes = [UInt8](repeating: 0, count: size)
        if unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 {
          return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
      }
    #endif
    // Without a name, values that another process stored are never of this boot.
    return UUID().uuidString
  }()
}

extension Graph {
  /// The deadline of a call, or of a part of one.
  struct Deadline: Sendable {
    private let time: any TimeSource
    private let uptime: Duration

    init(after timeout: Duration, time: any TimeSource) {
      self.time = time
      uptime = time.now.uptime + timeout
    }

    /// The remaining time; zero or less after the deadline.
    var remaining: Duration { uptime - time.now.uptime }

    var hasPassed: Bool { remaining <= .zero }

    /// Calls `action` at the deadline, unless the action is cancelled before.
    func schedule(_ action: @escaping @Sendable () -> Void) -> ScheduledAction {
      time.schedule(after: remaining, action)
    }

    /// The time that the transport gets to report its own timeout, whose error is more precise about
    /// what has been sent. Its limit passes at the same time as the call's.
    private static let grace = Duration.milliseconds(20)

    /// Calls `giveUp` at the deadline if nothing is being sent then, and otherwise 20 ms later, so
    /// that the transport can report first.
    func scheduleTimeout(
      isSending: @escaping @Sendable () -> Bool, giveUp: @escaping @Sendable () -> Void
    ) -> [ScheduledAction] {
      let remaining = remaining
      return [
        time.schedule(after: remaining) { if !isSending() { giveUp() } },
        time.schedule(after: remaining + Self.grace, giveUp),
      ]
    }
  }
}

extension Graph {
  /// Runs actions at points in time, for many clients, with one timer.
  ///
  /// A sleeping task for each would cost more than everything else that a transport does for a
  /// request, and a cancelled one is kept until its time has come. Here, removed entries leave
  /// nothing behind.
  final class ActionScheduler: Sendable {
    private struct State {
      var entries: [Int: (time: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
      var lastID = 0
      /// When the timer fires; nil if there are no entries.
      var nextFiring: ContinuousClock.Instant?
    }

    /// The scheduler of calls and of libcurl's uploads; each URLSession transport has its own.
    static let shared = ActionScheduler()

    private let state = Locked(State())
    /// A strict timer: others may be late by a tenth of their time. The state's lock orders changes of
    /// its time.
    private let timer = DispatchSource.makeTimerSource(
      flags: .strict, queue: .global())

    init() {
      timer.setEventHandler { [weak self] in self?.fire() }
      timer.activate()
    }

    deinit { timer.cancel() }

    /// Calls `action` once, at `deadline` or soon after it, unless it has been removed.
    func add(
      _ deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void
    ) -> Int {
      state.withLock { state in
        state.lastID += 1
        state.entries[state.lastID] = (deadline, action)
        if state.nextFiring.map({ deadline < $0 }) ?? true { setTimer(to: deadline, &state) }
        return state.lastID
      }
    }

    func remove(_ id: Int) {
      state.withLock { _ = $0.entries.removeValue(forKey: id) }
    }

    private func setTimer(to nextFiring: ContinuousClock.Instant?, _ state: inout State) {
      state.nextFiring = nextFiring
      guard let nextFiring else { return }
      let delay = min(max((nextFiring - .now).inSeconds, 0), 86_400)
      timer.schedule(deadline: .now() + delay, leeway: .milliseconds(1))
    }

    private func fire() {
      let now = ContinuousClock.now
      let actions = state.withLock { state -> [@Sendable () -> Void] in
        let due = state.entries.filter { $0.value.time <= now }
        for id in due.keys { state.entries[id] = nil }
        setTimer(to: state.entries.values.map(\.time).min(), &state)
        return due.values.map(\.action)
      }
      for action in actions { action() }
    }
  }
}
