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
    let id = try #require(uploads.join(promise, "key"))
    #expect(uploads.needsTask(id, "key"))
    let task = try task()
    uploads.add(task, "key")
    #expect(!uploads.needsTask(id, "key"))
    #expect(uploads.remove(task, "key") == [])
    #expect(!uploads.needsTask(id, "key"))
    #expect(uploads.takeWaiters("key", ends: true)?.count == 1)
    #expect(uploads.takeWaiters("key", ends: true) == nil && uploads.count == 0)
    let next = try #require(uploads.join(promise, "key"))
    #expect(next != id && uploads.needsTask(next, "key"))
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
