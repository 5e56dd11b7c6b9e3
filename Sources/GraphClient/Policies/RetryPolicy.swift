import GraphJSON
import GraphQLRuntime

extension Graph {
  /// When a failed operation is retried, and after which delay.
  ///
  /// An operation is retried after these failures, a mutation only if it has an idempotency key:
  /// - a connection that failed or was lost,
  /// - the statuses 429, 502, 503 and 504,
  /// - the error `THROTTLED` without data.
  ///
  /// A time limit that has passed is not such a failure. The connection of a subscription is opened
  /// again after the same failures; that of a web socket also after a time limit, and once after the
  /// close codes 4401 and 4403. The delay is the one that the server requests, or else that of
  /// ``backoff``.
  public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first.
    public var maximumAttempts: Int
    /// The delays if the server does not request one.
    public var backoff: Backoff
    /// The longest delay that a server may request; above it the failure is reported at once.
    public var maximumServerDelay: Duration

    /// The standard policy, except for the given values.
    public init(
      maximumAttempts: Int = 4,
      backoff: Backoff = Backoff(base: .milliseconds(500), maximum: .seconds(30)),
      maximumServerDelay: Duration = .seconds(120)
    ) {
      self.maximumAttempts = maximumAttempts
      self.backoff = backoff
      self.maximumServerDelay = maximumServerDelay
    }

    /// Four attempts. The random delays are at most half a second after the first attempt, and at most
    /// twice as long after each further one.
    public static let standard = RetryPolicy()
    /// One attempt. In it, libcurl may send a query, or a mutation with an idempotency key, again if the
    /// server has closed the reused connection before its response (RFC 9110, section 9.2.2).
    public static let none = RetryPolicy(maximumAttempts: 1)

    /// The delay before the next attempt; nil if there is none.
    ///
    /// - Parameter attempt: the number of attempts so far, from 1.
    func delay(
      _ decision: RetryDecision, after attempt: Int, time: any TimeSource
    ) -> Duration? {
      switch decision {
      case .done: nil
      case .backOff: backoff.delay(after: attempt, random: time.random())
      case .after(let requested) where requested > maximumServerDelay: nil
      case .after(let requested): backoff.delay(requested: requested, random: time.random())
      }
    }
  }
}

extension Graph {
  /// How long to wait before a retry: a random delay between zero and a limit that doubles with each
  /// attempt, so that clients that failed together do not return together.
  public struct Backoff: Sendable, Hashable {
    /// The limit after the first attempt.
    public var base: Duration
    /// The largest limit.
    public var maximum: Duration

    /// Delays whose limit doubles from `base` to `maximum`.
    public init(base: Duration, maximum: Duration) {
      self.base = base
      self.maximum = maximum
    }

    /// The delay after a failure for which the server requests no delay.
    ///
    /// - Parameters:
    ///   - attempt: the number of attempts so far, from 1.
    ///   - random: from 0 up to 1.
    public func delay(after attempt: Int, random: Double) -> Duration {
      limit(after: attempt) * random
    }

    /// The delay that the server requests, with a random addition.
    ///
    /// - Parameters:
    ///   - requested: the delay that the server requests; the result is not shorter.
    ///   - random: from 0 up to 1.
    public func delay(requested: Duration, random: Double) -> Duration {
      requested + min(base, maximum) * random
    }

    private func limit(after attempt: Int) -> Duration {
      var limit = min(base, maximum)
      // Compared before it doubles, since a duration traps when it overflows. No limit can double
      // more than 127 times.
      for _ in 0..<min(max(attempt, 1) - 1, 127) {
        guard limit <= maximum / 2 else { return maximum }
        limit *= 2
      }
      return limit
    }
  }
}

extension Graph {
  /// How an attempt's outcome affects the next one.
  enum RetryDecision: Equatable {
    case done
    /// After a delay that the client chooses.
    case backOff
    /// At the time that the server requests.
    case after(Duration)
  }
}

extension Graph.RetryDecision {
  init(_ result: Result<Graph.OperationResponse, Graph.QueryError>, now: Graph.Timestamp) {
    switch result {
    case .success(let response) where response.data == nil && Self.isBusy(response.status):
      self = Self.requested(response.headers, now: now)
    case .success(let response): self = Self.throttling(response)
    case .failure(let error): self = Self.after(error, now: now)
    }
  }

  private static func after(_ error: Graph.QueryError, now: Graph.Timestamp) -> Self {
    switch error.code {
    case .transport:
      let code = error.transportError?.code
      return code == .cannotConnect || code == .connectionLost ? .backOff : .done
    case .status:
      guard let response = error.response, let status = response.status, isBusy(status) else {
        return .done
      }
      return requested(response.headers, now: now)
    default: return .done
    }
  }

  private static func isBusy(_ status: Int) -> Bool { [429, 502, 503, 504].contains(status) }

  private static func requested(_ headers: Graph.Headers, now: Graph.Timestamp) -> Self {
    Graph.RetryAfter.delay(headers, now: now).map { .after($0) } ?? .backOff
  }

  /// A leaky bucket: the server reports how many points are missing and how fast they return.
  private static func throttling(_ response: Graph.OperationResponse) -> Self {
    guard response.data == nil, response.errors.contains(where: { $0.code == "THROTTLED" }) else {
      return .done
    }
    let cost = response.extensions?["cost"]
    let status = cost?["throttleStatus"]
    guard let requested = cost?["requestedQueryCost"]?.double,
      let available = status?["currentlyAvailable"]?.double,
      let rate = status?["restoreRate"]?.double, rate > 0
    else { return .backOff }
    // An operation that costs more than the bucket's capacity never succeeds.
    if let maximum = status?["maximumAvailable"]?.double, requested > maximum { return .done }
    return .after(.seconds(min(max(requested - available, 0) / rate, 1e9)))
  }
}

extension JSON {
  fileprivate var double: Double? {
    if case .number(let number) = self { number.double } else { nil }
  }
}

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
