import Foundation

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
