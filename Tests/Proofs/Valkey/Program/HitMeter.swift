import Foundation
import GraphClient
import GraphValkey

/// Measures reads of a stored response, one after the other. Prints the median in nanoseconds.
struct HitMeter {
  let socket: URL
  let bytes: Int
  let rounds: Int

  func run() async throws {
    let storage = Graph.ValkeyStorage(try connect(socket, timeout: .seconds(10)))
    let key = Graph.CacheKey(
      scope: String(repeating: "a", count: 64), name: String(repeating: "b", count: 64))
    let response = Graph.CachedResponse(
      bytes: [UInt8](repeating: UInt8(ascii: "x"), count: bytes), storedAt: .now)
    try await storage.store(response, for: key)
    var times: [Duration] = []
    let clock = ContinuousClock()
    for _ in 0..<rounds {
      let start = clock.now
      let found = try await storage.response(for: key)
      times.append(clock.now - start)
      guard found?.bytes.count == bytes else { fail("the response is not stored") }
    }
    print(Int(times.sorted()[rounds / 2] / .nanoseconds(1)))
  }
}
