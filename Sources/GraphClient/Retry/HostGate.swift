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

    /// Returns when a request to `host` may be sent.
    func pass(_ host: String, time: any TimeSource) async throws {
      let now = time.now.uptime
      let wait = openings.withLock { openings -> Duration? in
        guard let opening = openings[host] else { return nil }
        guard opening > now else {
          openings[host] = nil
          return nil
        }
        openings[host] = opening + spacing
        return opening - now
      }
      if let wait { try await time.sleep(for: wait) }
    }
  }
}
