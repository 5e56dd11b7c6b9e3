import GraphQLRuntime

extension Graph {
  /// Delays every request of all clients of the process to a host that has requested a pause, and
  /// then allows them one after another, so that they are not sent all at once.
  final class HostThrottle: Sendable {
    static let shared = HostThrottle()

    /// The interval between two delayed requests.
    private let spacing: Duration
    /// Per host, the uptime at which the next request is allowed.
    private let nextAllowed = Locked<[String: Duration]>([:])

    init(spacing: Duration = .milliseconds(20)) { self.spacing = spacing }

    /// Delays requests to `host` for `delay`, unless a longer delay applies.
    func delay(_ host: String, by delay: Duration, time: any TimeSource) {
      let end = time.now.uptime + delay
      nextAllowed.withLock { $0[host] = max($0[host] ?? .zero, end) }
    }

    /// The remaining pause that a host has requested; nil if there is none. The intervals between
    /// delayed requests are not a pause.
    func pause(of host: String, time: any TimeSource) -> Duration? {
      guard let allowed = nextAllowed.withLock({ $0[host] }) else { return nil }
      let pause = allowed - time.now.uptime
      return pause > spacing ? pause : nil
    }

    /// Whether a request to `host` would wait now, for a pause or for its turn after one.
    func delays(_ host: String, time: any TimeSource) -> Bool {
      nextAllowed.withLock { $0[host] }.map { $0 > time.now.uptime } ?? false
    }

    /// Returns when a request to `host` may be sent.
    ///
    /// - Returns: false if the deadline has passed before. Such a request takes no place in the
    ///   queue. Otherwise requests that give up and are retried would extend the delay.
    func waitForPermission(
      for host: String, until deadline: Deadline? = nil, time: any TimeSource
    ) async throws -> Bool {
      let now = time.now.uptime
      let remaining = deadline?.remaining
      let (wait, isInTime) = nextAllowed.withLock { nextAllowed -> (Duration?, Bool) in
        guard let allowed = nextAllowed[host] else { return (nil, true) }
        guard allowed > now else {
          nextAllowed[host] = nil
          return (nil, true)
        }
        if let remaining, allowed - now >= remaining { return (remaining, false) }
        nextAllowed[host] = allowed + spacing
        return (allowed - now, true)
      }
      if let wait, wait > .zero { try await time.sleep(for: wait) }
      return isInTime
    }
  }
}
