import Foundation
import GraphClient
import GraphQLRuntime
import GraphValkey
import StorefrontAPI

/// Many users send the same query in random order, through two connections to the server and a memory over it, while
/// responses expire, are evicted and are removed.
struct IdentityProof {
  let server: Graph.ValkeyConfiguration.Topology
  let requests: Int

  func run() async throws {
    let upstream = Locked(0)
    let plain = Graph.ValkeyStorage(try connect(server, timeout: .seconds(1)))
    let coherent = Graph.CoherentStorage(
      Graph.ValkeyStorage(try connect(server, timeout: .seconds(1))))
    let users = (0..<500).map { "user-\($0)" }
    let clients = users.enumerated().map { index, user in
      let storage: any Graph.ResponseStorage = index % 2 == 0 ? plain : coherent
      let other: any Graph.ResponseStorage = index % 2 == 0 ? coherent : plain
      return [storage, other].map { storage in
        Shop.client(user, storage, .cacheFirst(expireIn: 5)) { _ in upstream.withLock { $0 += 1 } }
      }
    }
    let tasks = 16
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for number in 0..<(requests / tasks) {
            let index = Int.random(in: users.indices)
            let response = try await clients[index][Int.random(in: 0...1)].query(Shop.query())
            guard response.data?.shop.name == users[index] else {
              fail("\(users[index]) got the response of \(response.data?.shop.name ?? "nobody")")
            }
            if number % 500 == 0 {
              guard let endpoint = URL(string: "https://shop.example/graphql") else { continue }
              let scope = Graph.CacheKey.scope(
                endpoint: endpoint, headers: ["Authorization": users[index]])
              try? await plain.removeAll(ofScope: scope)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let sent = upstream.withLock { $0 }
    guard sent < requests / 2 else { fail("\(sent) of \(requests) requests were sent upstream") }
    print("\(requests) requests of \(users.count) users, \(sent) upstream, none of another user")
  }
}
