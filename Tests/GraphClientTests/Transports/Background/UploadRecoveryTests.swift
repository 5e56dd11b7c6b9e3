import Foundation
import GraphQLRuntime
import Loopback
import TestSupport
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Uploads after a launch: the tasks and events of earlier processes arrive in any order. Only background
/// sessions have them, so these tests pass them to the delegate.
struct UploadRecoveryTests {
  private typealias Report = @Sendable ([URLSessionTask]) -> Void

  private let folder: TemporaryFolder
  private let file: URL
  private let stored: Graph.UploadFolder
  private let delegate = Graph.SessionDelegate()

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("photo")
    stored = Graph.UploadFolder(of: "session", in: folder.url)
    try Data(repeating: 7, count: 1000).write(to: file)
  }

  private var form: Graph.MultipartForm {
    Graph.MultipartForm(parts: [.init(name: "0", fileName: "photo", content: .file(file))])
  }

  private func makeUploads(
    grace: Duration = .seconds(600), list: (@escaping Report) -> Void = { $0([]) }
  ) -> Graph.KeyedUploads {
    Graph.KeyedUploads(
      configuration: .ephemeral, delegate: delegate, folder: stored.url, grace: grace,
      list: { _, report in list(report) })
  }

  private func send(
    _ key: String, to server: LoopbackServer, over uploads: Graph.KeyedUploads
  ) async throws -> String {
    let form = form
    let request = Graph.HTTPRequest(
      url: server.url(), headers: ["Idempotency-Key": key], body: .multipart(form))
    return try await uploads.response(to: request, with: form, key: key).body.text()
  }

  private func files(_ suffix: String) -> Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: stored.url.path)
    return (names ?? []).count { $0.hasSuffix(suffix) }
  }

  /// A task that an earlier process has created with this key. Its identifier is not that of a task of this
  /// process.
  private func earlierTask(_ key: String, at url: URL, after count: Int = 10) -> URLSessionTask {
    let session = URLSession(configuration: .ephemeral)
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    _ = (0..<count).map { _ in session.dataTask(with: request) }
    let task = session.uploadTask(with: request, fromFile: file)
    task.taskDescription = key
    return task
  }

  private func endedTask(
    _ key: String, at url: URL, after count: Int = 10
  ) async throws -> URLSessionTask {
    let task = earlierTask(key, at: url, after: count)
    task.resume()
    try await wait { task.state == .completed }
    return task
  }

  private func replay(_ task: URLSessionTask, error: (any Error)? = nil) throws {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let data = try #require(task as? URLSessionDataTask)
    if error == nil {
      delegate.urlSession(session, dataTask: data, didReceive: Data("earlier".utf8))
    }
    delegate.urlSession(session, task: task, didCompleteWithError: error)
  }

  @Test func aTaskMayEndBeforeItIsListed() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    let task = try await endedTask("k", at: server.url())
    let list = Locked<Report?>(nil)
    let uploads = makeUploads { report in list.withLock { $0 = report } }
    try replay(task)
    list.withLock { $0 }?([task])
    #expect(try await send("k", to: server, over: uploads) == "earlier")
    try await wait { uploads.openCount == 0 }
    #expect(server.requests.count == 1)
  }

  @Test func repeatedEventsHaveNoEffect() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    let task = try await endedTask("k", at: server.url())
    let uploads = makeUploads { $0([task]) }
    try replay(task)
    try replay(task)
    try await wait { uploads.openCount == 0 }
    try replay(task, error: URLError(.cancelled))
    #expect(files(".response") == 1 && uploads.openCount == 0)
    #expect(try await send("k", to: server, over: uploads) == "earlier")
  }

  @Test func eachTaskIsAdoptedOnce() throws {
    let url = try #require(URL(string: "http://localhost/"))
    let count = Locked(0)
    delegate.onUnknownTask { _ in
      count.withLock { $0 += 1 }
      // Here, the other threads would adopt the task as well.
      for _ in 0..<20 { sched_yield() }
      return Graph.URLSessionTransfer(
        url: url, maximumUnreadBytes: 1, isWhole: true, upload: nil, scheduler: .shared, stop: {})
    }
    let session = URLSession(configuration: .ephemeral)
    let tasks = (0..<200).map { _ in session.dataTask(with: url) }
    let delegate = delegate
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for task in tasks { _ = delegate.transfer(of: task) }
    }
    #expect(count.withLock { $0 } == tasks.count)
    session.invalidateAndCancel()
  }

  @Test func anEndedTaskThatIsNotListedHasAResponse() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    let task = try await endedTask("k", at: server.url())
    _ = try stored.writeBody(form, of: "k")
    let uploads = makeUploads()
    async let text = send("k", to: server, over: uploads)
    try await wait { uploads.openCount == 1 }
    // If the upload did not wait for the events, it would be sent before this one.
    _ = try await send("another", to: server, over: uploads)
    try replay(task)
    #expect(try await text == "earlier")
    try await wait { uploads.openCount == 0 }
    uploads.events.end()
    // The next upload ends after the first would have been sent.
    _ = try await send("other", to: server, over: uploads)
    #expect(server.requests.count == 3 && files("") == 0)
  }

  @Test(arguments: [true, false])
  func anUploadWhoseTaskIsLostBeginsAgain(_ hasEvents: Bool) async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "new") }
    _ = try stored.writeBody(form, of: "k")
    let uploads = makeUploads(grace: hasEvents ? .seconds(600) : .zero)
    if hasEvents { uploads.events.end() }
    #expect(try await send("k", to: server, over: uploads) == "new")
    #expect(server.requests.count == 1 && files("") == 0)
  }

  @Test func theBodyOfAListedTaskIsKept() throws {
    let server = try LoopbackServer { _, connection in connection.waitForClose() }
    let task = earlierTask("k", at: server.url())
    for key in ["k", "other"] {
      let body = try stored.writeBody(form, of: key)
      try FileManager.default.setAttributes(
        [.modificationDate: Date() - 8 * 24 * 60 * 60], ofItemAtPath: body.path)
    }
    let uploads = makeUploads { $0([task]) }
    #expect(stored.hasBody(of: "k") && !stored.hasBody(of: "other"))
    #expect(uploads.openCount == 1)
    task.cancel()
    try replay(task, error: URLError(.cancelled))
  }

  @Test func aTaskThatWasNotStartedIsStarted() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "started") }
    let session = delegate.makeSession(.ephemeral)
    var request = URLRequest(url: server.url())
    request.httpMethod = "POST"
    let task = session.uploadTask(with: request, fromFile: try stored.writeBody(form, of: "k"))
    task.taskDescription = "k"
    let uploads = makeUploads { $0([task]) }
    #expect(try await send("k", to: server, over: uploads) == "started")
    #expect(server.requests.count == 1 && files("") == 0)
    session.finishTasksAndInvalidate()
  }

  @Test func theFailureOfAnEarlierTaskDoesNotEndALaterOne() async throws {
    let received = Latch()
    let release = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      received.open()
      release.wait()
      connection.response(body: "new")
    }
    let uploads = makeUploads()
    async let text = send("k", to: server, over: uploads)
    await received.wait()
    let task = earlierTask("k", at: server.url())
    try replay(task, error: URLError(.cancelled))
    #expect(uploads.openCount == 1 && files(".body") == 1)
    release.signal()
    #expect(try await text == "new")
    try await wait { uploads.openCount == 0 }
    #expect(files("") == 0)
  }

  @Test func theResponseOfAnEarlierTaskEndsALaterOne() async throws {
    let received = Latch()
    let closed = Latch()
    let server = try LoopbackServer { _, connection in
      received.open()
      connection.waitForClose()
      closed.open()
    }
    let earlierServer = try LoopbackServer { _, connection in connection.response() }
    let task = try await endedTask("k", at: earlierServer.url())
    let uploads = makeUploads()
    async let text = send("k", to: server, over: uploads)
    await received.wait()
    try replay(task)
    #expect(try await text == "earlier")
    await closed.wait()
    try await wait { uploads.openCount == 0 && delegate.transferCount == 0 }
    #expect(files(".body") == 0)
  }

  /// The upload had two tasks, and ended with the response of the other one.
  @Test func theEndOfAnotherTaskDoesNotEndTheNextUpload() async throws {
    let received = Latch()
    let release = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      received.open()
      release.wait()
      connection.response(body: "new")
    }
    let earlierServer = try LoopbackServer { _, connection in connection.response() }
    let first = try await endedTask("k", at: earlierServer.url())
    let second = try await endedTask("k", at: earlierServer.url(), after: 20)
    let uploads = makeUploads { $0([first, second]) }
    try replay(first)
    #expect(try await send("k", to: server, over: uploads) == "earlier")
    try await wait { uploads.openCount == 0 }
    async let text = send("k", to: server, over: uploads)
    await received.wait()
    try replay(second, error: URLError(.cancelled))
    // The end of the task has an effect before this one ends.
    _ = try await send("other", to: earlierServer, over: uploads)
    release.signal()
    #expect(try await text == "new")
  }

  /// The pipe holds one of the threads of tasks until its other side is closed. The file cannot be read.
  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func aFileThatCannotBeReadDoesNotEndAnEarlierTask() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    let task = try await endedTask("k", at: server.url())
    let uploads = makeUploads()
    let files = [folder.file("pipe"), folder.file("missing")]
    #expect(mkfifo(files[0].path, 0o600) == 0)
    let form = Graph.MultipartForm(
      parts: files.map { .init(name: "0", fileName: "photo", content: .file($0)) })
    let request = Graph.HTTPRequest(
      url: server.url(), headers: ["Idempotency-Key": "k"], body: .multipart(form))
    let response = Task { try await uploads.response(to: request, with: form, key: "k") }
    try await wait { self.files(".body") == 1 }
    _ = delegate.transfer(of: task)
    try FileHandle(forWritingTo: files[0]).close()
    try await wait { self.files(".body") == 0 }
    _ = try await send("other", to: server, over: uploads)
    try replay(task)
    #expect(try await response.value.body.text() == "earlier")
  }

  @Test func aCallThatIsCancelledDuringTheRecoverySendsNothing() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    let list = Locked<Report?>(nil)
    let uploads = makeUploads { report in list.withLock { $0 = report } }
    let task = Task { try await send("k", to: server, over: uploads) }
    task.cancel()
    let error = await #expect(throws: Graph.TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    list.withLock { $0 }?([])
    _ = try await send("other", to: server, over: uploads)
    #expect(server.requests.count == 1 && uploads.openCount == 0)
  }

  @Test func anUploadThatWaitsForEventsEndsWithTheRemovalOfAll() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    _ = try stored.writeBody(form, of: "k")
    let uploads = makeUploads()
    let task = Task { try await send("k", to: server, over: uploads) }
    try await wait { uploads.openCount == 1 }
    try await uploads.removeAll()
    uploads.events.end()
    let error = await #expect(throws: Graph.TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled && error?.bytesSent == false)
    #expect(server.requests.isEmpty && files("") == 0)
  }

  /// The upload of a user who has logged out waits for the events after it has ended. The next user's
  /// upload has the same key.
  @Test func anUploadOfBeforeTheRemovalOfAllDoesNotEndALaterOne() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "new") }
    let task = try await endedTask("k", at: server.url())
    _ = try stored.writeBody(form, of: "k")
    let uploads = makeUploads()
    async let first = send("k", to: server, over: uploads)
    try await wait { uploads.openCount == 1 }
    // It waits when this one has been sent.
    _ = try await send("other", to: server, over: uploads)
    try replay(task)
    #expect(try await first == "earlier")
    try await wait { uploads.openCount == 0 }
    try await uploads.removeAll()
    _ = try stored.writeBody(form, of: "k")
    async let second = send("k", to: server, over: uploads)
    try await wait { uploads.openCount == 1 }
    uploads.events.end()
    #expect(try await second == "new")
  }

  @Test func aTaskThatIsReportedAfterTheRemovalOfAllLeavesNoResponse() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    let task = try await endedTask("k", at: server.url())
    let uploads = makeUploads()
    try await uploads.removeAll()
    try replay(task)
    try await wait { uploads.openCount == 0 }
    #expect(files("") == 0)
  }

  @Test func aResponseThatIsTooLargeEndsItsTask() async throws {
    let closed = Latch()
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      let piece = [UInt8](repeating: 32, count: 1 << 20)
      while connection.write(piece) {}
      closed.open()
    }
    let uploads = makeUploads()
    let error = await #expect(throws: Graph.TransportError.self) {
      try await send("k", to: server, over: uploads)
    }
    #expect(error?.code == .tooLarge)
    await closed.wait()
    #expect(files("") == 0)
  }

  @Test func anIdentifierHasOneSession() throws {
    let identifier = UUID().uuidString
    #expect(throws: CocoaError.self) {
      try Graph.KeyedUploads.shared(identifier) { throw CocoaError(.fileNoSuchFile) }
    }
    let first = Graph.KeyedUploads.shared(identifier) { makeUploads() }
    let second = Graph.KeyedUploads.shared(identifier) { makeUploads() }
    #expect(first === second)
  }
}
