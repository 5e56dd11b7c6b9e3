import Foundation

extension Graph {
  /// A point in time that survives clock jumps: what the wall says, and how long this boot of the
  /// machine has lasted.
  public struct Moment: Sendable, Hashable {
    /// Since 1970, by the wall clock.
    public var wall: Duration
    /// Since the machine started, sleep included. It never jumps.
    public var uptime: Duration
    /// Names the boot that `uptime` counts from.
    public var boot: String

    /// A point in time.
    public init(wall: Duration, uptime: Duration, boot: String) {
      self.wall = wall
      self.uptime = uptime
      self.boot = boot
    }

    /// How long ago this was at `now`.
    ///
    /// Within one boot the wall clock does not count. Across boots it is all there is; since this
    /// was before the boot, the age is at least `now`'s uptime, and a clock that was put back makes
    /// the age unknown.
    ///
    /// - Returns: nil when it cannot be known; take it as old.
    public func age(at now: Moment) -> Duration? {
      if boot == now.boot { return now.uptime >= uptime ? now.uptime - uptime : nil }
      guard now.wall >= wall else { return nil }
      return max(now.wall - wall, now.uptime)
    }
  }
}

extension Graph.Moment {
  /// The present.
  public static var now: Graph.Moment {
    Graph.Moment(
      wall: .seconds(Date().timeIntervalSince1970), uptime: uptimeNow, boot: currentBoot)
  }

  // Safe: the clock fills a local variable of the type that it expects.
  private static var uptimeNow: Duration {
    var time = timespec()
    #if os(Linux)
      unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    #else
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// A name that changes with each boot.
  // Safe: the system fills as many bytes of the array as `size` says, which it said before.
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
    // Without a name nothing that another process stored is of this boot.
    return UUID().uuidString
  }()
}
