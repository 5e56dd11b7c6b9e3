import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime

/// With every `Retry-After` of a server, a client sends no burst of requests, and does not wait
/// forever.
struct RetryAfterCheck {
  static let values = [
    "0", "1", "119", "86400", "999999999999", "99999999999999999999999", "-5", "1e9", "", "soon",
    "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
    "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 12 Nov 2033 22:13:20 GMT",
    "Tue, 14 Nov 2023 22:13:25 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
  ]

  let value: String

  func run() async throws {
    try await query()
    try await operation()
  }

  private func query() async throws {
    let time = ManualTime(chance: 0.999)
    let requested = Locked(0)
    var configuration = Graph.ClientConfiguration()
    configuration.time = time
    let client = Graph.Client(
      endpoint: URL(string: "https://\(UUID().uuidString).example")!,
      transport: FakeShop { [value] _ in
        requested.withLock { $0 += 1 }
        return (503, ["Retry-After": value], "")
      }, configuration: configuration)
    _ = try? await client.query(Notes.query("cart/1"))
    let count = requested.withLock { $0 }
    require((1...4).contains(count), "Retry-After: \(value): \(count) requests")
    let longest = time.sleeps.max() ?? .zero
    require(longest <= .seconds(121), "Retry-After: \(value): the client waits \(longest)")
  }

  private func operation() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "treeswift-stress-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let time = ManualTime(chance: 0.999)
    let requested = Locked(0)
    let files = DiskFiles(folder: folder)
    var configuration = Graph.Outbox.Configuration()
    configuration.time = time
    var client = Graph.ClientConfiguration()
    client.time = time
    let shop = FakeShop { [value] call in
      let count = requested.withLock {
        $0 += 1
        return $0
      }
      guard count > 2 else { return (429, ["Retry-After": value], "") }
      return (200, [:], Notes.response(call, note: "x"))
    }
    let outbox = try await Graph.Outbox(
      store: files.open(files.store),
      client: Graph.Client(
        endpoint: URL(string: "https://\(UUID().uuidString).example")!, transport: shop,
        configuration: client), configuration: configuration)
    let steps = outbox.transitions()
    try await outbox.queue(Notes.mutation("cart/1", "x"), for: Notes.key("cart/1"))
    for await step in steps where step.to.isFinal { break }
    let count = requested.withLock { $0 }
    require(count == 3, "Retry-After: \(value): \(count) requests")
    let longest = time.sleeps.max() ?? .zero
    require(
      longest <= .seconds(86_400 + 1), "Retry-After: \(value): an operation waits \(longest)")
  }
}
