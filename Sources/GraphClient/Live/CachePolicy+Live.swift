extension Graph.CachePolicy {
  /// Whether a stored response is shown before the query is sent.
  var readsCacheFirst: Bool {
    switch kind {
    case .cacheOnly, .cacheFirst, .cacheAndNetwork: true
    case .networkOnly, .networkFirst: false
    }
  }

  /// Whether the query is sent even if there is a stored response.
  var alwaysSends: Bool {
    switch kind {
    case .networkOnly, .networkFirst, .cacheAndNetwork: true
    case .cacheOnly, .cacheFirst: false
    }
  }
}
