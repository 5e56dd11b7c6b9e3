import GraphQLRuntime

/// When entities were last used in this run of the program, by a read or a response. Only kept for
/// a store with a size budget.
final class UseTimes: Sendable {
  /// With that many entities the table is cleared; then the rows' own times decide.
  private static let most = 100_000
  private let times = Locked<[GraphQL.EntityKey: Int64]>([:])
  private let now: @Sendable () -> Int64

  /// - Parameter now: milliseconds since 1970.
  init(now: @escaping @Sendable () -> Int64) { self.now = now }

  func note(_ key: GraphQL.EntityKey) {
    let now = now()
    times.withLock { times in
      if times.count >= Self.most { times = [:] }
      times[key] = now
    }
  }

  /// nil for an entity that was not used in this run.
  func time(of key: GraphQL.EntityKey) -> Int64? { times.withLock { $0[key] } }
}
