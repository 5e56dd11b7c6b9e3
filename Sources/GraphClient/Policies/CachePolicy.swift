extension Graph {
  /// The source of a query's response. Mutations and subscriptions always use the
  /// network.
  public struct CachePolicy: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable {
      case cacheOnly, networkOnly, cacheFirst, networkFirst, cacheAndNetwork
    }

    /// Only ``FetchPlan`` distinguishes the kinds.
    let kind: Kind
    /// A cached response of this age or older is not used; nil for no limit.
    let expiry: Duration?

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
