extension Graph {
  /// The source of a query's response. Mutations and subscriptions always use the
  /// network.
  public struct CachePolicy: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
      case cacheOnly, networkOnly, cacheFirst, networkFirst, cacheAndNetwork
    }

    /// Only ``FetchPlan`` distinguishes the kinds.
    package let kind: Kind
    /// A cached response of this age or older is not used; nil for no limit.
    package let expiry: Duration?

    /// The cached response; a ``QueryError/Code/cacheMiss`` error if there is none.
    public static let cacheOnly = CachePolicy(kind: .cacheOnly, expiry: nil)
    /// The server's response. It is cached only if the client's own policy uses the cache.
    public static let networkOnly = CachePolicy(kind: .networkOnly, expiry: nil)
    /// The cached response of any age; without one, the server's.
    public static let cacheFirst = CachePolicy(kind: .cacheFirst, expiry: nil)
    /// The server's response; if the network fails, the cached one of any age.
    public static let networkFirst = CachePolicy(kind: .networkFirst, expiry: nil)
    /// The cached response at once and then the server's, if several responses can be delivered;
    /// otherwise the same as ``networkFirst``.
    public static let cacheAndNetwork = CachePolicy(kind: .cacheAndNetwork, expiry: nil)

    /// The cached response if it is younger than the given number of seconds; otherwise the
    /// server's.
    public static func cacheFirst(expireIn seconds: Int) -> CachePolicy {
      CachePolicy(kind: .cacheFirst, expiry: .seconds(seconds))
    }

    /// The server's response; if the network fails, the cached one if it is younger than the given
    /// number of seconds.
    public static func networkFirst(expireIn seconds: Int) -> CachePolicy {
      CachePolicy(kind: .networkFirst, expiry: .seconds(seconds))
    }

    public var description: String {
      expiry.map { "\(kind.rawValue)(expireIn: \($0.components.seconds))" } ?? kind.rawValue
    }
  }
}

extension Graph {
  /// The steps from a query to its responses, as its policy determines them. The plan has no effects:
  /// the caller performs each step and passes its outcome to get the next one.
  struct FetchPlan: Sendable, Hashable {
    /// The responses that a caller can receive.
    enum Results: Sendable, CaseIterable {
      /// An async function.
      case one
      /// A stream, or a task with a completion handler.
      case several
      /// A stream of a query with `@defer` or `@stream`.
      case incremental
    }

    enum Source: Sendable {
      case cache
      case network
    }

    enum Step: Sendable, Hashable {
      case readCache
      /// - Parameter unlessStored: whether to send nothing if another call has stored a response
      ///   since the cache was read.
      case sendRequest(unlessStored: Bool)
      case deliver(Source, isLast: Bool)
      /// Ends the query with the error of the request, or because the cache has no response.
      case fail(Source)
    }

    enum Outcome: Sendable, Hashable {
      case begin
      /// - Parameter isComplete: whether no value is missing because of an error.
      case stored(isComplete: Bool)
      case notStored
      /// Nothing was sent, since another call has stored a response.
      case storedByOtherCall
      case response
      /// - Parameter isOutage: whether the server cannot be reached, or is unable to respond.
      case failed(isOutage: Bool)
      case delivered
    }

    private enum Rule: Hashable {
      case cache
      case network
      case cacheOrNetwork(sharesStored: Bool)
      case networkOrCache
      case cacheThenNetwork
    }

    /// Whether the response is stored: only if this policy or the client's own reads the cache.
    let storesResponse: Bool
    private let rule: Rule
    private var hasEnded = false

    /// - Parameter clientPolicy: the policy of queries that do not have one of their own.
    init(_ policy: CachePolicy, _ results: Results, clientPolicy: CachePolicy) {
      storesResponse = policy.kind != .networkOnly || clientPolicy.kind != .networkOnly
      rule =
        switch (policy.kind, results) {
        case (.cacheOnly, _): .cache
        case (.networkOnly, _), (.networkFirst, .incremental): .network
        case (.cacheFirst, _): .cacheOrNetwork(sharesStored: results != .incremental)
        case (.networkFirst, _), (.cacheAndNetwork, .one): .networkOrCache
        case (.cacheAndNetwork, _): .cacheThenNetwork
        }
    }

    /// The step that follows the outcome of the previous one; nil after the last.
    mutating func step(after outcome: Outcome) -> Step? {
      guard !hasEnded else { return nil }
      let step = next(after: outcome)
      switch step {
      case .deliver(_, isLast: true), .fail: hasEnded = true
      case .readCache, .sendRequest, .deliver: break
      }
      return step
    }

    private func next(after outcome: Outcome) -> Step {
      switch outcome {
      case .begin:
        switch rule {
        case .cache, .cacheOrNetwork, .cacheThenNetwork: .readCache
        case .network, .networkOrCache: request
        }
      case .stored(let isComplete):
        switch rule {
        // A field that was null because of an error may have a value by now.
        case .cacheOrNetwork where !isComplete: request
        case .cacheThenNetwork: .deliver(.cache, isLast: false)
        case .cache, .network, .cacheOrNetwork, .networkOrCache: .deliver(.cache, isLast: true)
        }
      case .notStored:
        switch rule {
        case .cache: .fail(.cache)
        case .cacheOrNetwork, .cacheThenNetwork: request
        // The cache is read after an outage.
        case .network, .networkOrCache: .fail(.network)
        }
      case .storedByOtherCall: .readCache
      case .response: .deliver(.network, isLast: true)
      case .failed(let isOutage):
        if case .networkOrCache = rule, isOutage { .readCache } else { .fail(.network) }
      case .delivered: request
      }
    }

    private var request: Step {
      if case .cacheOrNetwork(let sharesStored) = rule {
        .sendRequest(unlessStored: sharesStored)
      } else {
        .sendRequest(unlessStored: false)
      }
    }
  }
}

extension Graph {
  /// When a client starts its prefetches, and how many may wait.
  public struct PrefetchPolicy: Sendable, Hashable {
    /// The maximum number of prefetches that wait. If there are more, the oldest are dropped.
    public var maximumWaiting: Int
    /// The maximum number of prefetches that run at the same time.
    public var maximumRunning: Int
    /// A prefetch starts only while the client has at most this number of other requests in progress.
    public var maximumOtherRequests: Int

    /// A policy.
    public init(maximumWaiting: Int = 20, maximumRunning: Int = 2, maximumOtherRequests: Int = 1) {
      self.maximumWaiting = maximumWaiting
      self.maximumRunning = maximumRunning
      self.maximumOtherRequests = maximumOtherRequests
    }
  }
}
