import Foundation
import GraphClient
import GraphValkey
import StorefrontAPI

/// One of many processes that send the same query at the same time. Each request to the server adds a line with the
/// process's number to a file.
struct Ask {
  let server: Graph.ValkeyConfiguration.Topology
  let folder: URL
  /// How long the server takes, in milliseconds.
  let delay: Int

  func run() async throws {
    // Dozens of processes share the processors, so the default of 5 ms would be over before they have run.
    let valkey = try connect(server, timeout: .seconds(10))
    try await valkey.ping()
    let client = Shop.client("fleet", Graph.ValkeyStorage(valkey), .cacheFirst(expireIn: 60)) { _ in
      let line = "\(ProcessInfo.processInfo.processIdentifier)\n"
      let file = try FileHandle(forWritingTo: folder.appending(path: "requests"))
      try file.seekToEnd()
      try file.write(contentsOf: Array(line.utf8))
      try file.close()
      try await Task.sleep(for: .milliseconds(delay))
    }
    print("ready")
    fflush(nil)
    while !FileManager.default.fileExists(atPath: folder.appending(path: "go").path) {
      try await Task.sleep(for: .milliseconds(2))
    }
    let clock = ContinuousClock()
    let start = clock.now
    let response = try await client.query(Shop.query())
    guard response.data?.shop.name == "fleet" else { fail("the response is another's") }
    print("done \((clock.now - start) / .milliseconds(1))")
  }
}
