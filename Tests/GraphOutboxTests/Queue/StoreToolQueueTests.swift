import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// `treeswift-store FILE --queue` and `--operation` next to a program with an outbox.
@Suite struct StoreToolQueueTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private var folder: URL { shop.file.deletingLastPathComponent() }

  private func run(_ arguments: String...) throws -> BuiltTool.Run {
    try BuiltTool("treeswift-store").run([shop.file.lastPathComponent] + arguments, in: folder)
  }

  @Test func listsTheQueueAndReceipts() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let first = try await outbox.queue(shop.note("secret", "9"), for: shop.cart("9"))
    let second = try await outbox.queue(shop.note("secret", "9"), for: shop.cart("9"))
    let cancelled = try await outbox.queue(shop.note("secret", "8"), for: shop.cart("8"))
    try await outbox.cancel(cancelled)
    let result = try run("--queue")
    #expect(result.status == 0 && result.error.isEmpty)
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 5)
    #expect(lines[0].hasPrefix("pending \(first) Cart:9 Note "))
    #expect(lines[0].hasSuffix(" 0 attempts, due now, before \(second)"))
    #expect(lines[1].hasSuffix(" 0 attempts, after \(first)"))
    #expect(lines[2] == "2 queued" && lines[4] == "1 ended")
    #expect(lines[3].hasPrefix("cancelled \(cancelled) Cart:8 Note "))
    let json = try run("--queue", "--json").output.split(separator: "\n")
      .map { try JSON(parsing: Array($0.utf8)) }
    #expect(json.map { $0["operation"] } == [.string(first), .string(second), nil])
    #expect(json[0]["dueInMilliseconds"] == 0 && json[1]["dueInMilliseconds"] == nil)
    #expect(json[1]["after"] == [.string(first)] && json[2]["receipt"] == .string(cancelled))
    #expect(!result.output.contains("secret") && !json.description.contains("secret"))
  }

  @Test func showsWhatIsSentForAnOperation() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let id = try await outbox.queue(shop.note("secret", "9"), for: shop.cart("9"))
    let hidden = try run("--operation", id)
    #expect(hidden.status == 0 && hidden.error.isEmpty)
    #expect(hidden.output.contains("  mutation Note(") && hidden.output.contains("…"))
    #expect(!hidden.output.contains("secret"))
    let shown = try JSON(
      parsing: Array(try run("--operation", id, "--values", "--json").output.utf8))
    let key = try store.rows("SELECT idempotency FROM outbox_operation", []) { $0.text(0) }
    #expect(shown["idempotencyKey"] == key.first.map(JSON.string))
    await outbox.resume()
    await outbox.flush()
    let request = try #require(shop.server.endpoint.requests.first?.operations.first)
    #expect(
      shown["document"] == request.document.map(JSON.string)
        && shown["variables"] == .object(request.variables))
    let missing = try run("--operation", id)
    #expect(missing.status == 1 && missing.output.isEmpty)
    #expect(missing.error == "treeswift-store: there is no operation \(id) in the queue\n")
  }

  @Test func showsFilesToSend() async throws {
    let queue = try await TestQueue()
    let photo = queue.file.deletingLastPathComponent().appending(path: "photo")
    try Data("pixels".utf8).write(to: photo)
    var operation = NewOperation(
      id: "a", entity: GraphQL.EntityKey("Cart:1")!, kind: .mutation, name: "",
      document: "mutation($file1:Upload){photo(file:$file1){ok}}", variables: ["file1": nil],
      root: "", isRepeatable: true)
    let upload = GraphQL.Upload(.file(photo), fileName: "p.png", contentType: "image/png")
    operation.files = [try QueuedFile(place: "variables.file1", upload)]
    operation = try operation.withChecksums()
    try await queue.write { [operation] in _ = try $0.enqueue(operation) }
    let arguments = [queue.file.path, "--operation", "a"]
    let tool = BuiltTool("treeswift-store")
    let line = "  variables.file1: \(photo.path) as p.png, image/png"
    #expect(try tool.run(arguments, in: folder).output.hasSuffix("files:\n\(line)\n"))
    try Data("other".utf8).write(to: photo)
    #expect(
      try tool.run(arguments, in: folder).output
        .hasSuffix("files:\n\(line); a file to send has changed\n"))
  }

  @Test func followsTheQueue() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let tool = try LiveTool(
      shop.file.lastPathComponent, "--queue", "--watch", "--json",
      in: shop.file.deletingLastPathComponent())
    let sent = try await outbox.queue(
      shop.note("a", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    #expect(try await tool.event("queued")["operation"] == .string(sent))
    await outbox.resume()
    await outbox.flush()
    let ended = try await tool.event("ended")
    #expect(ended["receipt"] == .string(sent) && ended["state"] == "received")
    await outbox.pause()
    let dropped = try await outbox.queue(
      shop.note("b", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    try await wait { try await tool.event("queued")["operation"] == .string(dropped) }
    _ = try await store.logout()
    _ = try await tool.event("logout")
    #expect(try await tool.event("dropped")["operation"] == .string(dropped))
    #expect(tool.interrupt() == .exit(0))
  }
}
