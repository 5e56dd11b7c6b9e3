import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

/// Many clients store, read and remove at random while the parts of a cluster change. A removed response is never read
/// again by a read that begins after the removal.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(5))) struct ClusterModelTests {
  /// The responses that clients have stored and removed. Each response contains a number of its own, its version.
  private final class Model: Sendable {
    private struct Version {
      let key: Graph.CacheKey
      /// Whether it was stored without an error. It may be on the server even if not.
      var isStored = false
      let isLeased: Bool
    }

    private struct State {
      var last = 0
      var versions: [Int: Version] = [:]
      /// The number of the removal that has removed a version.
      var removed: [Int: Int] = [:]
      var removalTimes: [Int: Int64] = [:]
      var removals = 0
      var counts: [String: Int] = [:]
      var violations: [String] = []
    }

    private let state = Locked(State())

    var violations: [String] { state.withLock { $0.violations } }
    var counts: [String: Int] { state.withLock { $0.counts } }
    var removals: Int { state.withLock { $0.removals } }
    func count(_ name: String) { state.withLock { $0.counts[name, default: 0] += 1 } }

    func newVersion(_ key: Graph.CacheKey, isLeased: Bool) -> Int {
      state.withLock { state in
        state.last += 1
        state.versions[state.last] = Version(key: key, isLeased: isLeased)
        return state.last
      }
    }

    func stored(_ version: Int) {
      state.withLock { state in
        state.versions[version]?.isStored = true
        state.counts["stored", default: 0] += 1
      }
    }

    /// The versions that a removal removes, or prevents from being stored.
    func concerned(
      preventsLeased: Bool, _ isConcerned: (Int, Graph.CacheKey) -> Bool
    ) -> [Int] {
      state.withLock { state in
        state.versions.filter {
          ($0.value.isStored || preventsLeased && $0.value.isLeased)
            && isConcerned($0.key, $0.value.key)
        }.map(\.key)
      }
    }

    func removed(_ versions: [Int]) {
      state.withLock { state in
        state.removals += 1
        state.removalTimes[state.removals] = ValkeyClock.now
        for version in versions {
          state.versions[version] = nil
          if state.removed[version] == nil { state.removed[version] = state.removals }
        }
      }
    }

    /// - Parameters:
    ///   - removals: the number of removals when the read began.
    ///   - start: when it began.
    ///   - delay: for how long a memory may contain what was removed.
    func read(
      _ response: Graph.CachedResponse?, _ key: Graph.CacheKey, since removals: Int,
      at start: Int64, delay: Int64 = 0, _ kind: String
    ) {
      state.withLock { state in
        state.counts[response == nil ? "missed" : "found", default: 0] += 1
        guard let response, let version = ClusterModelTests.version(response) else { return }
        if let key2 = state.versions[version]?.key, key2 != key {
          state.violations.append("\(kind): \(version) of another key")
        }
        guard let removal = state.removed[version], removal <= removals,
          let time = state.removalTimes[removal], start - time > delay
        else { return }
        state.violations.append(
          "\(kind): \(version) of \(key.name) was removed \((start - time) / 1000) us before")
      }
    }
  }

  private static func version(_ response: Graph.CachedResponse) -> Int? {
    Int(String(decoding: response.bytes.prefix { $0 != 32 }, as: UTF8.self))
  }

  private static func tag(_ version: Int) -> String { "t\(version % 3)" }

  private static let keys = (0..<24).map { key("k\($0)", scope: "s\($0 % 3)") }

  private static func storage(_ valkey: Graph.Valkey) -> Graph.ValkeyStorage {
    var options = Graph.ValkeyStorage.Options()
    options.tags = { response in version(response).map { [tag($0)] } ?? [] }
    return Graph.ValkeyStorage(valkey, options: options)
  }

  /// One client's random program, until `isOver`.
  private static func run(
    _ valkey: Graph.Valkey, _ model: Model, hasMemory: Bool, _ isOver: @Sendable () -> Bool
  ) async {
    let storage = storage(valkey)
    let coherent = hasMemory ? Graph.CoherentStorage(storage) : nil
    let limiter = Graph.ValkeyRateLimiter(valkey)
    while !isOver() {
      let key = keys.randomElement()!
      let (removals, start) = (model.removals, ValkeyClock.now)
      do {
        switch Int.random(in: 0..<100) {
        case ..<45:
          if let coherent {
            let found = try await coherent.response(for: key)
            model.read(found, key, since: removals, at: start, delay: 4_000_000_000, "memory")
          } else {
            let found = try await storage.response(for: key)
            model.read(found, key, since: removals, at: start, "read")
          }
        case ..<70:
          let version = model.newVersion(key, isLeased: false)
          try await storage.store(
            response("\(version) \(String(repeating: "x", count: .random(in: 0..<2000)))"),
            for: key)
          model.stored(version)
        case ..<88:
          let outcome = try await storage.lease(for: key, within: .milliseconds(300)) { _ in true }
          switch outcome {
          case .granted(let lease):
            model.count("granted")
            let version = model.newVersion(key, isLeased: true)
            if Bool.random() { try await Task.sleep(for: .milliseconds(Int.random(in: 0..<20))) }
            if Int.random(in: 0..<8) == 0 {
              await lease.end(letsOthersAsk: false)
            } else {
              try await lease.store(response("\(version) leased"))
              model.stored(version)
            }
          case .stored(let found):
            model.read(found, key, since: removals, at: start, "lease")
          case .unavailable: model.count("unavailable")
          }
        case ..<90:
          let request = Graph.RateRequest(
            scope: key.scope, operationName: nil, cost: 1, id: .random(in: 0 ... .max))
          _ = await limiter.reserve(request, within: .milliseconds(1))
          await limiter.settle(request, Graph.RateReport(cost: 1))
        case ..<95:
          let versions = model.concerned(preventsLeased: false) { $1 == key }
          try await storage.remove(key)
          model.removed(versions)
          model.count("removed")
        case ..<97:
          let tag = "t\(Int.random(in: 0..<3))"
          let versions = model.concerned(preventsLeased: false) { version, _ in
            Self.tag(version) == tag
          }
          try await storage.removeAll(withTag: tag)
          model.removed(versions)
          model.count("removed tag")
        case ..<99:
          let versions = model.concerned(preventsLeased: true) { $1.scope == key.scope }
          try await storage.removeAll(ofScope: key.scope)
          model.removed(versions)
          model.count("removed scope")
        default:
          let versions = model.concerned(preventsLeased: true) { _, _ in true }
          try await storage.removeAll()
          model.removed(versions)
          model.count("removed all")
        }
      } catch {
        model.count("error \((error as? Graph.ValkeyError)?.message ?? "\(error)")")
        // As a program that has something else to do.
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  /// Runs programs of clients while `change` changes the cluster.
  private func run(
    _ cluster: ServerCluster, shards: Int, clients: Int = 6, for duration: Duration,
    timeout: Duration = .seconds(5),
    _ change: @escaping @Sendable (ServerCluster, Graph.Valkey) async throws -> Void
  ) async throws {
    let model = Model()
    let end = ContinuousClock.now + duration
    let isOver: @Sendable () -> Bool = { ContinuousClock.now > end }
    let observer = try cluster.client(shards: shards)
    var changes = 0
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<clients {
        let valkey = try cluster.client(shards: shards) { $0.timeout = timeout }
        group.addTask {
          await Self.run(valkey, model, hasMemory: number % 3 == 2, isOver)
        }
      }
      while !isOver() {
        // A node can refuse a change, since it has not heard of the last one yet.
        if (try? await change(cluster, observer)) != nil { changes += 1 }
      }
      try await group.waitForAll()
    }
    #expect(model.violations.prefix(10).joined(separator: "\n") == "")
    #expect(model.counts["found", default: 0] + model.counts["missed", default: 0] > 0)
    #expect(changes > 0)
  }

  /// The master of a slot, as the nodes see it.
  private static func master(of slot: Int, in cluster: ServerCluster) async throws -> Int? {
    for index in cluster.nodes.indices {
      let value = try await cluster.nodes[index].client.run("CLUSTER", "SLOTS")
      for range in value.array ?? [] {
        guard let parts = range.array, let first = parts[0].integer, let last = parts[1].integer,
          Int(first)...Int(last) ~= slot, let port = parts[2].array?[1].integer
        else { continue }
        return cluster.nodes.firstIndex { $0.port == Int(port) }
      }
    }
    return nil
  }

  private static let seconds = Duration.seconds(
    Int(ProcessInfo.processInfo.environment["MODEL_SECONDS"] ?? "") ?? 3)

  @Test(arguments: [1, 3, 64])
  func nothingRemovedReturnsWhileSlotsMove(shards: Int) async throws {
    let cluster = try await ServerCluster()
    try await run(cluster, shards: shards, for: Self.seconds) { cluster, valkey in
      let slot = valkey.shards.all.randomElement()!.keys.slot
      guard let source = try await Self.master(of: slot, in: cluster) else { return }
      let target = (source + Int.random(in: 1...2)) % 3
      try await cluster.beginMove(of: slot, from: source, to: target)
      let keys = try await cluster.keys(source).filter { HashSlot.of(ofKey: $0) == slot }.shuffled()
      for key in keys.prefix(Int.random(in: 0...max(1, keys.count))) {
        try await cluster.move(key, from: source, to: target)
        if Int.random(in: 0..<3) == 0 {
          try await Task.sleep(for: .milliseconds(Int.random(in: 0..<3)))
        }
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0..<50)))
      try await cluster.endMove(of: slot, from: source, to: target)
      try await Task.sleep(for: .milliseconds(Int.random(in: 0..<150)))
    }
  }

  @Test(arguments: [3, 16])
  func nothingRemovedReturnsAfterPlannedFailovers(shards: Int) async throws {
    let cluster = try await ServerCluster(replicas: true)
    try await run(cluster, shards: shards, for: Self.seconds * 2) { cluster, _ in
      let part = Int.random(in: 0..<3)
      for index in [part, part + 3] {
        let client = cluster.nodes[index].client
        guard try await client.run("ROLE").array?.first?.text == "slave" else { continue }
        guard (try? await client.run("CLUSTER", "FAILOVER")) != nil else { continue }
        let end = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < end,
          try await client.run("ROLE").array?.first?.text != "master"
        { try await Task.sleep(for: .milliseconds(5)) }
        break
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 100..<600)))
    }
  }

  /// Masters without replicas are killed, and begin again at the same port without data; or they stop for a moment.
  @Test(arguments: [3, 16])
  func nothingRemovedReturnsAfterRestarts(shards: Int) async throws {
    let cluster = try await ServerCluster()
    let restarted = Locked<[Int: ValkeyServer]>([:])
    try await run(cluster, shards: shards, for: Self.seconds * 2, timeout: .milliseconds(300)) {
      cluster, _ in
      let index = Int.random(in: 0..<3)
      let node = cluster.nodes[index]
      let server = restarted.withLock { $0[index] } ?? node.server
      if Bool.random() {
        server.signal(SIGSTOP)
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<900)))
        server.signal(SIGCONT)
      } else {
        server.kill9()
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<300)))
        let again = try await ValkeyServer(in: server.folder, node.arguments)
        restarted.withLock { $0[index] = again }
      }
      try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<3000)))
    }
    withExtendedLifetime(restarted) {}
  }

  /// Nodes forget each other, and meet again.
  @Test(arguments: [3]) func nothingRemovedReturnsWhileNodesForget(shards: Int) async throws {
    let cluster = try await ServerCluster()
    try await run(cluster, shards: shards, for: Self.seconds) { cluster, _ in
      let (index, other) = (Int.random(in: 0..<3), Int.random(in: 0..<3))
      guard index != other else { return }
      try await cluster.nodes[index].client.run("CLUSTER", "FORGET", cluster.nodes[other].id)
      try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<500)))
      let (third, bus) = (3 - index - other, cluster.nodes[index].busPort)
      for node in [other, third] {
        try await cluster.nodes[node].client.run(
          "CLUSTER", "MEET", "127.0.0.1", "\(cluster.nodes[index].port)", "\(bus)")
      }
      try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<500)))
    }
  }
}
