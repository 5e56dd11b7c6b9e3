import Foundation
import GraphClient
import GraphValkey

/// Measures reads of a stored response, one after the other. Prints the median in nanoseconds.
struct HitMeter {
  let server: Graph.ValkeyConfiguration.Topology
  let bytes: Int
  let rounds: Int
  let isCompressed: Bool

  /// A list of products, cut off at the number of bytes.
  private var json: [UInt8] {
    var text = #"{"data":{"products":["#
    var state: UInt64 = 1
    while text.utf8.count < bytes {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let price = "\(state >> 52).\(state >> 40 & 63)"
      text += """
        {"__typename":"Product","id":"gid://shop/Product/\(state >> 20)","title":"Hat \(state >> 50)",\
        "price":{"amount":"\(price)","currencyCode":"EUR"},"availableForSale":\(state >> 63 == 0)},
        """
    }
    return Array(text.utf8.prefix(bytes))
  }

  func run() async throws {
    let valkey = try connect(server, timeout: .seconds(10))
    var options = Graph.ValkeyStorage.Options()
    options.compressedSize = isCompressed ? 0 : nil
    let storage = Graph.ValkeyStorage(valkey, options: options)
    let key = Graph.CacheKey(
      scope: String(repeating: "a", count: 64), name: String(repeating: "b", count: 64))
    let response = Graph.CachedResponse(bytes: json, storedAt: .now)
    try await storage.store(response, for: key)
    var times: [Duration] = []
    let clock = ContinuousClock()
    for _ in 0..<rounds {
      let start = clock.now
      let found = try await storage.response(for: key)
      times.append(clock.now - start)
      guard found?.bytes == response.bytes else { fail("the response is not stored") }
    }
    print(Int(times.sorted()[rounds / 2] / .nanoseconds(1)))
  }
}
