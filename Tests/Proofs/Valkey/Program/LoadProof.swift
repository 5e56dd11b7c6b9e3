import Foundation
import GraphClient
import GraphQLRuntime
import GraphValkey
import StorefrontAPI

/// Sends requests of 200 users while the server may be killed, restarted and stopped. None may fail, and none may take
/// longer than its deadline. A file contains the state of the server.
///
/// Prints a line for each state: its name, the number of requests upstream, whether the server is connected at the end, and
/// the times of all requests in microseconds.
struct LoadProof {
  let server: Graph.ValkeyConfiguration.Topology
  /// `none`, `memory` (of each process), `shared` or `coherent`.
  let kind: String
  let seconds: Int
  /// The wait of each of four tasks after a request.
  let pause: Duration
  let mark: URL

  private static let users = 200

  private struct Figures {
    var times: [String: [Int]] = [:]
    var upstream: [String: Int] = [:]
    var phase = "up"
  }

  func run() async throws {
    let figures = Locked(Figures())
    // Dozens of processes share the processors, so the default of 5 ms would often be over before they have run.
    let valkey = try connect(server, timeout: .milliseconds(25))
    let storage: any Graph.ResponseStorage =
      switch kind {
      case "coherent": Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
      case "shared": Graph.ValkeyStorage(valkey)
      default: Graph.MemoryStorage()
      }
    let policy = kind == "none" ? Graph.CachePolicy.networkOnly : .cacheFirst(expireIn: 2)
    let clients = (0..<Self.users).map { number in
      Shop.client("user-\(number)", storage, policy, timeout: .seconds(1)) { _ in
        figures.withLock { $0.upstream[$0.phase, default: 0] += 1 }
        // The service needs that long.
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    let end = ContinuousClock.now + .seconds(seconds)
    let watch = Task {
      var bytes = [UInt8](repeating: 0, count: 16)
      while !Task.isCancelled {
        // Foundation takes ten times as long, which dozens of processes would feel.
        let file = open(mark.path, O_RDONLY)
        let count = read(file, &bytes, bytes.count)
        close(file)
        if count > 0 {
          let text = String(decoding: bytes.prefix(count), as: UTF8.self)
          figures.withLock { $0.phase = text }
        }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          while ContinuousClock.now < end {
            let index = Int.random(in: clients.indices)
            let phase = figures.withLock { $0.phase }
            let start = ContinuousClock.now
            do {
              let response = try await clients[index].query(Shop.query())
              guard response.data?.shop.name == "user-\(index)" else { fail("another's response") }
            } catch { fail("a request failed while the server was \(phase): \(error)") }
            let time = Int((ContinuousClock.now - start) / .microseconds(1))
            figures.withLock { $0.times[phase, default: []].append(time) }
            // Not all the time: the processors are shared with the server and with other processes.
            try? await Task.sleep(for: pause)
          }
        }
      }
    }
    watch.cancel()
    for _ in 0..<100 where kind != "none" && kind != "memory" && !valkey.isConnected {
      try? await valkey.ping()
      try await Task.sleep(for: .milliseconds(100))
    }
    let (times, upstream) = figures.withLock { ($0.times, $0.upstream) }
    for (phase, times) in times {
      let list = times.map(String.init).joined(separator: " ")
      print(phase, upstream[phase, default: 0], valkey.isConnected, list)
    }
  }
}
