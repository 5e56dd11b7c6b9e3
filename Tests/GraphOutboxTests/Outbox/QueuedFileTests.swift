import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// Files to send are stored as references.
struct QueuedFileTests {
  private let folder: TemporaryFolder
  private let queue: TestQueue
  private let photo: URL

  init() async throws {
    folder = try TemporaryFolder()
    photo = folder.file("photo")
    try Data("pixels".utf8).write(to: photo)
    queue = try await TestQueue()
  }

  /// Blocks every request forever.
  private final class Recorder: Graph.Transport {
    let forms = Locked<[Graph.MultipartForm]>([])

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      if case .multipart(let form) = request.body { forms.withLock { $0.append(form) } }
      let body = Array(#"{"data":{"photo":{"ok":true}}}"#.utf8)
      return Graph.HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], url: request.url,
        body: Graph.HTTPResponse.Body(body))
    }
  }

  private func enqueue() async throws {
    let upload = GraphQL.Upload(.file(photo), fileName: "p.png", contentType: "image/png")
    var operation = NewOperation(
      id: "a", entity: GraphQL.EntityKey("Cart:1")!, kind: .mutation, name: "",
      document: "mutation($file1:Upload){photo(file:$file1){ok}}", variables: ["file1": nil],
      root: "", isRepeatable: true)
    operation.files = [try QueuedFile(place: "variables.file1", upload)]
    operation = try operation.withChecksums()
    try await queue.write { [operation] in _ = try $0.enqueue(operation) }
  }

  private func send() async throws -> (receipt: Graph.Receipt?, forms: [Graph.MultipartForm]) {
    let recorder = Recorder()
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: recorder)
    let outbox = try await Graph.Outbox(store: queue.store, client: client)
    await outbox.flush()
    return (try outbox.receipts().first, recorder.forms.withLock { $0 })
  }

  @Test func sendsAnUnchangedFileAfterARestart() async throws {
    try await enqueue()
    try await queue.crash()
    let (receipt, forms) = try await send()
    #expect(receipt?.state == .received)
    let part = try #require(forms.first?.parts.last)
    #expect(forms.count == 1 && part.fileName == "p.png" && part.contentType == "image/png")
    #expect(try queue.store.rows("SELECT 1 FROM outbox_file", []) { $0.integer(0) } == [])
  }

  @Test(arguments: [true, false])
  func rejectsAnOperationWhoseFileChangedOrIsMissing(isThere: Bool) async throws {
    try await enqueue()
    if isThere {
      try Data("other".utf8).write(to: photo)
    } else {
      try FileManager.default.removeItem(at: photo)
    }
    let (receipt, forms) = try await send()
    #expect(receipt?.state == .rejected)
    #expect(receipt?.reason?.code == (isThere ? "fileChanged" : "fileMissing"))
    #expect(forms.isEmpty)
  }

  @Test func bytesInMemoryAreRefused() {
    let error = #expect(throws: Graph.OutboxError.self) {
      try QueuedFile(place: "p", GraphQL.Upload(.data(Data()), fileName: "n"))
    }
    #expect(error?.code == .invalidMutation)
  }

  @Test func aFileThatCannotBeReadIsNotQueued() async throws {
    try FileManager.default.removeItem(at: photo)
    let error = await #expect(throws: Graph.OutboxError.self) { try await enqueue() }
    #expect(error?.code == .invalidMutation && error?.cause is CocoaError)
  }
}
