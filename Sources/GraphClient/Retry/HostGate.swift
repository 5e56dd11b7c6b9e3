import GraphQLRuntime

extension Graph {
  /// Holds back every request to a host that has asked for a pause, of all clients of the process,
  /// and lets them through one after another, so that they do not return at once.
  final class HostGate: Sendable {
    static let shared = HostGate()

    /// The distance between two requests that were held back.
    private let spacing: Duration
    /// Per host, the uptime at which the next request may pass.
    private let openings = Locked<[String: Duration]>([:])

    init(spacing: Duration = .milliseconds(20)) { self.spacing = spacing }

    /// Closes the gate for `delay`; a gate that is closed for longer stays so.
    func close(_ host: String, for delay: Duration, time: any TimeSource) {
      let opening = time.now.uptime + delay
      openings.withLock { $0[host] = max($0[host] ?? .zero, opening) }
    }

    /// How long a host has asked to wait from now on; nil where it has not. The distances in the line of
    /// requests that were held back are no pause.
    func pause(of host: String, time: any TimeSource) -> Duration? {
      guard let opening = openings.withLock({ $0[host] }) else { return nil }
      let pause = opening - time.now.uptime
      return pause > spacing ? pause : nil
    }

    /// Returns when a request to `host` may be sent.
    ///
    /// - Returns: false when the deadline has passed before. Such a request takes no place in the line:
    ///   requests that give up and come again would otherwise keep the gate closed.
    func pass(
      _ host: String, until deadline: Deadline? = nil, time: any TimeSource
    ) async throws -> Bool {
      let now = time.now.uptime
      let remaining = deadline?.remaining
      let (wait, isInTime) = openings.withLock { openings -> (Duration?, Bool) in
        guard let opening = openings[host] else { return (nil, true) }
        guard opening > now else {
          openings[host] = nil
          return (nil, true)
        }
        if let remaining, opening - now >= remaining { return (remaining, false) }
        openings[host] = opening + spacing
        return (opening - now, true)
      }
      if let wait, wait > .zero { try await time.sleep(for: wait) }
      return isInTime
    }
  }
}
