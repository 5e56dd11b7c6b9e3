import Foundation
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct OpenUploadsTests {
  private func task() throws -> URLSessionTask {
    URLSession.shared.dataTask(with: try #require(URL(string: "http://localhost/")))
  }

  /// A caller that waits for the events of an earlier process must not send the upload again between the end of its
  /// task and the delivery of the response.
  @Test func anUploadWhoseTaskHasEndedNeedsNoOther() throws {
    let uploads = Graph.OpenUploads()
    let promise = Promise<Graph.UploadResponse>()
    let id = try #require(uploads.join(promise, "key").id)
    #expect(uploads.needsTask(id, "key"))
    let task = try task()
    uploads.add(task, "key")
    #expect(!uploads.needsTask(id, "key"))
    #expect(uploads.remove(task, "key") == [])
    #expect(!uploads.needsTask(id, "key"))
    #expect(uploads.takeWaiters("key").count == 1)
    uploads.end("key")
    #expect(uploads.count == 0)
    let next = try #require(uploads.join(promise, "key").id)
    #expect(next != id && uploads.needsTask(next, "key"))
  }

  /// A caller that has its result may call again at once.
  @Test func anUploadWhoseResultIsDeliveredTakesNoOtherCallers() async throws {
    let uploads = Graph.OpenUploads()
    let promise = Promise<Graph.UploadResponse>()
    let id = try #require(uploads.join(promise, "key").id)
    guard case .running = uploads.join(Promise(), "key") else {
      Issue.record("the second caller does not wait for the upload")
      return
    }
    #expect(uploads.takeWaiters("key").count == 2)
    guard case .ending(let end) = uploads.join(promise, "key") else {
      Issue.record("a caller has joined an upload whose result is delivered")
      return
    }
    async let isOver: Void = end.value
    uploads.end("key")
    try await isOver
    #expect(try #require(uploads.join(promise, "key").id) != id)
  }

  @Test func anUploadWithTwoTasksContinuesWithTheOther() throws {
    let uploads = Graph.OpenUploads()
    let (one, two) = (try task(), try task())
    uploads.add(one, "key")
    uploads.add(two, "key")
    #expect(uploads.remove(one, "key") == [two])
    #expect(uploads.remove(one, "key") == nil)
    #expect(uploads.remove(two, "key") == [])
  }
}

extension Graph.OpenUploads.Joined {
  fileprivate var id: UUID? { if case .new(let id) = self { id } else { nil } }
}
