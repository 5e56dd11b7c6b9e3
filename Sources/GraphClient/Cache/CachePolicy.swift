extension Graph {
  /// Where a query's answer comes from. Mutations, subscriptions and polling with a
  /// ``RetryHandler`` always go to the network.
  public struct CachePolicy: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable {
      case cacheOnly, networkOnly, cacheFirst, networkFirst, cacheAndNetwork
    }

    let kind: Kind
    /// The age from which on a stored answer does not count; nil is never.
    let expiry: Duration?

    /// The stored answer; a ``Failure/Code/cacheMiss`` error when there is none.
    public static let cacheOnly = CachePolicy(kind: .cacheOnly, expiry: nil)
    /// The server's answer. It is stored only where the client's own policy uses the cache.
    public static let networkOnly = CachePolicy(kind: .networkOnly, expiry: nil)
    /// The stored answer however old it is; without one the server's.
    public static let cacheFirst = CachePolicy(kind: .cacheFirst, expiry: nil)
    /// The server's answer; the stored one however old it is when the network fails.
    public static let networkFirst = CachePolicy(kind: .networkFirst, expiry: nil)
    /// The stored answer at once and then the server's, where answers are delivered one after
    /// another; where there can be one only, as ``networkFirst``.
    public static let cacheAndNetwork = CachePolicy(kind: .cacheAndNetwork, expiry: nil)

    /// The stored answer while it is younger than so many seconds; otherwise the server's.
    public static func cacheFirst(expireIn seconds: Int) -> CachePolicy {
      CachePolicy(kind: .cacheFirst, expiry: .seconds(seconds))
    }

    /// The server's answer; when the network fails, the stored one if it is younger than so many
    /// seconds.
    public static func networkFirst(expireIn seconds: Int) -> CachePolicy {
      CachePolicy(kind: .networkFirst, expiry: .seconds(seconds))
    }

    public var description: String {
      expiry.map { "\(kind.rawValue)(expireIn: \($0.components.seconds))" } ?? kind.rawValue
    }

    /// Whether an answer that was stored at `moment` counts at `now`.
    func accepts(_ moment: Moment, at now: Moment) -> Bool {
      guard let expiry else { return true }
      return moment.age(at: now).map { $0 < expiry } ?? false
    }

    var readsCache: Bool { kind != .networkOnly }
  }
}
