import Testing

@testable import GraphClient

/// Every row of the table of policies, for every caller.
struct FetchPlanTests {
  private typealias Plan = Graph.FetchPlan
  private typealias Step = Graph.FetchPlan.Step

  /// The content of the cache, and the behaviour of the server.
  private struct World {
    enum Response: CaseIterable {
      case arrives, error, outage
    }

    var cache = Cache.empty
    var network = Response.arrives
    /// Whether another call stores a response before the request is sent.
    var isStoredMeanwhile = false

    enum Cache: CaseIterable {
      case empty, incomplete, complete
    }

    static var all: [World] {
      Cache.allCases.flatMap { cache in
        Response.allCases.map { World(cache: cache, network: $0) }
      }
    }
  }

  /// The steps of a query.
  private func steps(
    _ policy: Graph.CachePolicy, _ results: Plan.Results, in world: World = World()
  ) -> [Step] {
    var plan = Plan(policy, results, clientPolicy: .networkOnly)
    var world = world
    var steps: [Step] = []
    var outcome = Plan.Outcome.begin
    while let step = plan.step(after: outcome), steps.count < 10 {
      steps.append(step)
      outcome =
        switch step {
        case .readCache:
          switch world.cache {
          case .empty: .notStored
          case .incomplete: .stored(isComplete: false)
          case .complete: .stored(isComplete: true)
          }
        case .sendRequest(unlessStored: true) where world.isStoredMeanwhile: .storedByOtherCall
        case .sendRequest:
          switch world.network {
          case .arrives: .response
          case .error: .failed(isOutage: false)
          case .outage: .failed(isOutage: true)
          }
        case .deliver, .fail: .delivered
        }
      if outcome == .storedByOtherCall {
        (world.cache, world.isStoredMeanwhile) = (.complete, false)
      }
    }
    return steps
  }

  private let send = Step.sendRequest(unlessStored: false)
  private let fromCache = Step.deliver(.cache, isLast: true)
  private let fromNetwork = Step.deliver(.network, isLast: true)

  @Test(arguments: Graph.FetchPlan.Results.allCases)
  func cacheOnlyReadsOnlyTheCache(results: Graph.FetchPlan.Results) {
    for world in World.all {
      #expect(
        steps(.cacheOnly, results, in: world)
          == [.readCache, world.cache == .empty ? .fail(.cache) : fromCache])
    }
  }

  @Test(arguments: Graph.FetchPlan.Results.allCases)
  func networkOnlySendsOnlyARequest(results: Graph.FetchPlan.Results) {
    for world in World.all {
      #expect(
        steps(.networkOnly, results, in: world)
          == [send, world.network == .arrives ? fromNetwork : .fail(.network)])
    }
  }

  @Test(arguments: Graph.FetchPlan.Results.allCases)
  func cacheFirstSendsARequestAfterAMiss(results: Graph.FetchPlan.Results) {
    let send = Step.sendRequest(unlessStored: results != .incremental)
    for policy in [Graph.CachePolicy.cacheFirst, .cacheFirst(expireIn: 20)] {
      for world in World.all {
        #expect(
          steps(policy, results, in: world)
            == (world.cache == .complete
              ? [.readCache, fromCache]
              : [.readCache, send, world.network == .arrives ? fromNetwork : .fail(.network)]))
      }
    }
  }

  @Test(arguments: [Graph.FetchPlan.Results.one, .several])
  func cacheFirstReadsTheResponseStoredByAnotherCall(results: Graph.FetchPlan.Results) {
    for cache in [World.Cache.empty, .incomplete] {
      #expect(
        steps(.cacheFirst, results, in: World(cache: cache, isStoredMeanwhile: true))
          == [.readCache, .sendRequest(unlessStored: true), .readCache, fromCache])
    }
  }

  /// The response of the other call may be one that is not stored.
  @Test func cacheFirstSendsARequestAfterASecondMiss() {
    var plan = Plan(.cacheFirst, .one, clientPolicy: .networkOnly)
    let outcomes: [Plan.Outcome] = [
      .begin, .notStored, .storedByOtherCall, .notStored, .response, .delivered,
    ]
    #expect(
      outcomes.map { plan.step(after: $0) } == [
        .readCache, .sendRequest(unlessStored: true), .readCache,
        .sendRequest(unlessStored: true), fromNetwork, nil,
      ])
  }

  @Test(arguments: [Graph.FetchPlan.Results.one, .several])
  func networkFirstReadsTheCacheAfterAnOutage(results: Graph.FetchPlan.Results) {
    for policy in [Graph.CachePolicy.networkFirst, .networkFirst(expireIn: 20)] {
      for world in World.all {
        let expected: [Step] =
          switch world.network {
          case .arrives: [send, fromNetwork]
          case .error: [send, .fail(.network)]
          case .outage: [send, .readCache, world.cache == .empty ? .fail(.network) : fromCache]
          }
        #expect(steps(policy, results, in: world) == expected)
      }
    }
  }

  @Test func incrementalNetworkFirstIsNetworkOnly() {
    for world in World.all {
      #expect(
        steps(.networkFirst, .incremental, in: world)
          == steps(.networkOnly, .incremental, in: world))
    }
  }

  @Test func cacheAndNetworkWithOneResultIsNetworkFirst() {
    for world in World.all {
      #expect(
        steps(.cacheAndNetwork, .one, in: world) == steps(.networkFirst, .one, in: world))
    }
  }

  @Test(arguments: [Graph.FetchPlan.Results.several, .incremental])
  func cacheAndNetworkReadsCacheThenSendsARequest(results: Graph.FetchPlan.Results) {
    for world in World.all {
      let cached: [Step] = world.cache == .empty ? [] : [.deliver(.cache, isLast: false)]
      #expect(
        steps(.cacheAndNetwork, results, in: world)
          == [.readCache] + cached
          + [send, world.network == .arrives ? fromNetwork : .fail(.network)])
    }
  }

  /// Only a call that reads the cache, or whose client does, stores its response.
  @Test func aResponseIsStoredIfTheCacheIsRead() {
    let reading: [Graph.CachePolicy] = [.cacheOnly, .cacheFirst, .networkFirst, .cacheAndNetwork]
    for results in Plan.Results.allCases {
      func stores(_ policy: Graph.CachePolicy, _ clientPolicy: Graph.CachePolicy) -> Bool {
        Plan(policy, results, clientPolicy: clientPolicy).storesResponse
      }
      #expect(!stores(.networkOnly, .networkOnly))
      for policy in reading {
        #expect(stores(policy, .networkOnly) && stores(.networkOnly, policy))
      }
    }
  }
}
