import Foundation
import GraphQLRuntime
import Loopback
import TestSupport
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Uploads that continue without a caller. The session ends with the process here; background sessions,
/// whose tasks continue, exist on Apple platforms only.
struct KeyedUploadTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("photo")
    try Data(repeating: 7, count: 100_000).write(to: file)
  }

  /// Its folder is that of the next process.
  private func makeUploads() -> Graph.KeyedUploads {
    Graph.KeyedUploads(configuration: .ephemeral, folder: folder.url.appendingPathComponent("u"))
  }

  private func send(
    _ key: String, to server: LoopbackServer, over uploads: Graph.KeyedUploads,
    file: URL? = nil, timeout: Duration? = nil
  ) async throws -> (status: Int, text: String) {
    let form = Graph.MultipartForm(
      parts: [.init(name: "0", fileName: "photo", content: .file(file ?? self.file))])
    let request = Graph.HTTPRequest(
      url: server.url(), headers: ["Idempotency-Key": key], body: .multipart(form),
      timeout: timeout)
    let response = try await uploads.response(to: request, with: form, key: key)
    return (response.status, try await response.body.text())
  }

  private func files() -> [String] {
    let path = folder.url.appendingPathComponent("u").path
    return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  @Test func sendsTheFormAndLeavesNoFile() async throws {
    let server = try LoopbackServer { request, connection in
      connection.response("201 Created", ["X-A: b"], body: "\(request.body.count)")
    }
    let uploads = makeUploads()
    let (status, text) = try await send("k", to: server, over: uploads)
    #expect(status == 201)
    let request = try #require(server.requests.first)
    #expect(try #require(Int(text)) == request.body.count && request.body.count > 100_000)
    #expect(request.headers["idempotency-key"] == "k")
    #expect(request.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(files().isEmpty)
    // The response was read, so the next request with the key is another upload.
    _ = try await send("k", to: server, over: uploads)
    #expect(server.requests.count == 2)
  }

  @Test func aLaterCallJoinsTheUploadThatContinuesAfterATimeout() async throws {
    let release = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      release.wait()
      connection.response(body: "done")
    }
    let uploads = makeUploads()
    let late = await #expect(throws: Graph.TransportError.self) {
      try await send("k", to: server, over: uploads, timeout: .milliseconds(50))
    }
    #expect(late?.code == .timedOut && late?.bytesSent == true)
    async let first = send("k", to: server, over: uploads)
    async let second = send("k", to: server, over: uploads)
    release.signal()
    #expect(try await first.text == "done")
    release.signal()
    #expect(try await second.text == "done")
    // The second call may have come after the first had its response.
    #expect(server.requests.count <= 2)
  }

  @Test func theNextProcessReadsAResponseWithoutACaller() async throws {
    let received = Latch()
    let release = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      received.open()
      release.wait()
      connection.response("200 OK", ["X-A: b"], body: "line\nline")
    }
    let uploads = makeUploads()
    let task = Task { try await send("k", to: server, over: uploads) }
    await received.wait()
    task.cancel()
    let error = await #expect(throws: Graph.TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled && error?.bytesSent == true)
    release.signal()
    try await wait { files().contains { $0.hasSuffix(".response") } }
    try await wait { files().count == 1 }
    let next = makeUploads()
    let (status, text) = try await send("k", to: server, over: next)
    #expect(status == 200 && text == "line\nline")
    #expect(server.requests.count == 1)
    // The caller may continue before the response is removed.
    try await wait { files().isEmpty }
  }

  @Test func aFailedUploadBeginsAgainWithTheNextCall() async throws {
    let count = Locked(0)
    let server = try LoopbackServer { _, connection in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { connection.close() } else { connection.response(body: "done") }
    }
    let uploads = makeUploads()
    let error = await #expect(throws: Graph.TransportError.self) {
      try await send("k", to: server, over: uploads)
    }
    #expect(error?.code == .connectionLost)
    #expect(try await send("k", to: server, over: uploads).text == "done")
    #expect(files().isEmpty)
  }

  @Test func unreadableFileIsAnInvalidRequest() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    let error = await #expect(throws: Graph.TransportError.self) {
      try await send(
        "k", to: server, over: makeUploads(), file: URL(fileURLWithPath: "/nowhere/at/all"))
    }
    #expect(error?.code == .invalidRequest)
    #expect(server.requests.isEmpty && files().isEmpty)
  }

  @Test func removingAllEndsUploads() async throws {
    let received = Latch()
    let server = try LoopbackServer { _, connection in
      received.open()
      // No response: the client closes the connection.
      while connection.read(1) != nil {}
    }
    let uploads = makeUploads()
    let task = Task { try await send("k", to: server, over: uploads) }
    await received.wait()
    try await uploads.removeAll()
    await #expect(throws: Graph.TransportError.self) { try await task.value }
    #expect(files().isEmpty)
  }

  /// The session of the next process delivers the events of a task that has ended before.
  private func replay(_ task: URLSessionTask, to delegate: Graph.SessionDelegate) throws {
    let session = URLSession(configuration: .ephemeral)
    let data = try #require(task as? URLSessionDataTask)
    delegate.urlSession(session, dataTask: data, didReceive: Data("done".utf8))
    delegate.urlSession(session, task: task, didCompleteWithError: nil)
    session.invalidateAndCancel()
  }

  private func endedTask(_ key: String, at url: URL) async throws -> URLSessionTask {
    let session = URLSession(configuration: .ephemeral)
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let task = session.uploadTask(with: request, fromFile: file)
    task.taskDescription = key
    task.resume()
    try await wait { task.state == .completed }
    session.finishTasksAndInvalidate()
    return task
  }

  @Test func anUploadThatEndedBetweenProcessesHasAResponse() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "done") }
    let task = try await endedTask("k", at: server.url())
    let delegate = Graph.SessionDelegate()
    let uploads = Graph.KeyedUploads(
      configuration: .ephemeral, delegate: delegate, folder: folder.url.appendingPathComponent("u"))
    try replay(task, to: delegate)
    let (status, text) = try await send("k", to: server, over: uploads, timeout: .seconds(20))
    #expect(status == 200 && text == "done")
    #expect(server.requests.count == 1)
  }

  @MainActor @Test func theHandlerIsCalledWhenTheResponseIsOnDisk() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "done") }
    let task = try await endedTask("k", at: server.url())
    let delegate = Graph.SessionDelegate()
    let uploads = Graph.KeyedUploads(
      configuration: .ephemeral, delegate: delegate, folder: folder.url.appendingPathComponent("u"))
    var kept: [Bool] = []
    handle(uploads.events) { kept.append(files().contains { $0.hasSuffix(".response") }) }
    try replay(task, to: delegate)
    uploads.events.end()
    while kept.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    #expect(kept == [true])
  }

  /// The signature of UIKit's completion handlers: not `Sendable`.
  @MainActor private func handle(
    _ events: Graph.BackgroundEvents, completionHandler: @escaping () -> Void
  ) {
    events.handle(completionHandler)
  }

  @MainActor @Test func theHandlerMayComeAfterTheEvents() async throws {
    let events = Graph.BackgroundEvents()
    var calls = 0
    events.end()
    events.handle { calls += 1 }
    #expect(calls == 1)
    // The next handler waits for the next events, and for the tasks that completed with them.
    events.handle { calls += 1 }
    events.open(1)
    events.open(2)
    events.complete(1)
    events.end()
    await Task.yield()
    #expect(calls == 1)
    events.close(1)
    while calls == 1 { try await Task.sleep(for: .milliseconds(2)) }
    #expect(calls == 2)
  }

  @MainActor @Test func theEventsOfAnEarlierLaunchDoNotCount() async throws {
    let events = Graph.BackgroundEvents(patience: .zero)
    var calls = 0
    events.end()
    try await Task.sleep(for: .milliseconds(2))
    events.handle { calls += 1 }
    #expect(calls == 0)
  }

  /// A response may arrive while all uploads are removed, for example at a logout.
  @Test func removingAllKeepsTheFolderAndNoResponseOfBefore() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "done") }
    let task = try await endedTask("k", at: server.url())
    let delegate = Graph.SessionDelegate()
    let uploads = Graph.KeyedUploads(
      configuration: .ephemeral, delegate: delegate, folder: folder.url.appendingPathComponent("u"))
    let stored = Graph.UploadFolder(url: folder.url.appendingPathComponent("u"))
    try stored.keep(
      Graph.UploadResponse(status: 200, headers: [:], url: server.url(), bytes: []), of: "other")
    // The upload is known before, and ends after.
    _ = delegate.transfer(of: task)
    try await uploads.removeAll()
    #expect(FileManager.default.fileExists(atPath: stored.url.path) && files().isEmpty)
    try replay(task, to: delegate)
    try await wait { uploads.openCount == 0 }
    #expect(files().isEmpty)
  }

  @Test func oldFilesAreRemoved() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "new") }
    let stored = Graph.UploadFolder(url: folder.url.appendingPathComponent("u"))
    for key in ["old", "recent"] {
      try stored.keep(
        Graph.UploadResponse(status: 200, headers: [:], url: server.url(), bytes: [0x6B]), of: key)
    }
    let name = try #require(files().first)
    try FileManager.default.setAttributes(
      [.modificationDate: Date() - 8 * 24 * 60 * 60],
      ofItemAtPath: folder.url.appendingPathComponent("u/\(name)").path)
    let uploads = makeUploads()
    let texts = [
      try await send("old", to: server, over: uploads).text,
      try await send("recent", to: server, over: uploads).text,
    ]
    #expect(texts.sorted() == ["k", "new"])
  }
}
