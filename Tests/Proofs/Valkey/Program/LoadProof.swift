import Foundation
import GraphClient
import GraphQLRuntime
import GraphValkey
import StorefrontAPI

/// Sends requests while the server is killed, restarted and stopped. None may fail, and none may take longer than its
/// deadline. A file contains the state of the server.
struct LoadProof {
  let socket: URL
  let seconds: Int
  let mark: URL

  private struct Figures {
    var times: [String: [Duration]] = [:]
    var upstream: [String: Int] = [:]
    var phase = "up"
  }

  func run() async throws {
    let figures = Locked(Figures())
    let valkey = try connect(socket, timeout: .milliseconds(5))
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
    let plain = Graph.ValkeyStorage(valkey)
    let clients = (0..<200).map { number in
      // Half of them read from the server each time.
      let storage: any Graph.ResponseStorage = number % 2 == 0 ? storage : plain
      return Shop.client("user-\(number)", storage, .cacheFirst(expireIn: 2), timeout: .seconds(1))
      {
        _ in figures.withLock { $0.upstream[$0.phase, default: 0] += 1 }
      }
    }
    let end = ContinuousClock.now + .seconds(seconds)
    let watch = Task {
      while !Task.isCancelled {
        if let text = try? String(contentsOf: mark, encoding: .utf8), !text.isEmpty {
          figures.withLock { $0.phase = text }
        }
        try? await Task.sleep(for: .milliseconds(10))
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
            let time = ContinuousClock.now - start
            figures.withLock { $0.times[phase, default: []].append(time) }
            // Not all the time: the processors are shared with the server.
            try? await Task.sleep(for: .microseconds(500))
          }
        }
      }
    }
    watch.cancel()
    let (times, upstream) = figures.withLock { ($0.times, $0.upstream) }
    for (phase, times) in times.sorted(by: { $0.key < $1.key }) {
      let sorted = times.sorted()
      func milliseconds(_ time: Duration) -> String {
        String(format: "%.2f ms", time / .milliseconds(1))
      }
      print(
        "\(phase): \(times.count) requests, \(upstream[phase, default: 0]) upstream, median"
          + " \(milliseconds(sorted[times.count / 2])), p99 \(milliseconds(sorted[times.count * 99 / 100])),"
          + " maximum \(milliseconds(sorted[times.count - 1]))")
      guard sorted[times.count - 1] < .seconds(1) else {
        fail("a request took longer than its deadline")
      }
    }
    guard valkey.isConnected else { fail("the server is up, and there is no connection to it") }
    guard let up = upstream["up"], let all = times["up"]?.count, up < all / 2 else {
      fail("most responses do not come from the cache while the server is up")
    }
    guard times.count >= 3 else { fail("the server was not killed and stopped during the load") }
  }
}
