import Foundation
import GraphQLRuntime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph {
  /// Uploads that a session carries out whether or not a caller waits for them. Each has a key: a request
  /// with the key of an upload that runs, or whose response no caller has read, gets that response.
  final class KeyedUploads: Sendable {
    /// How long a response that no caller reads is kept, in seconds.
    private static let retention: TimeInterval = 7 * 24 * 60 * 60

    private let session: URLSession
    private let delegate: SessionDelegate
    private let folder: UploadFolder
    let events = BackgroundEvents()
    private let scheduler = ActionScheduler()
    /// The callers that wait, by the keys of the uploads that run.
    private let waiters = Locked<[String: [Promise<UploadResponse>]]>([:])
    /// How often all uploads were removed. Responses of uploads that began before are not kept. Files of
    /// responses are written under this lock.
    private let removals = Locked(0)
    /// Ends when the uploads of earlier processes are known.
    private let recovery: Task<Void, Never>

    init(
      configuration: URLSessionConfiguration, delegate: SessionDelegate = SessionDelegate(),
      folder: URL
    ) {
      let session = delegate.makeSession(configuration)
      self.session = session
      self.delegate = delegate
      self.folder = UploadFolder(url: folder)
      let recovered = Promise<Void>()
      recovery = Task { try? await recovered.value }
      delegate.report(to: events)
      // An event may arrive before the list of the tasks.
      delegate.onUnknownTask { [weak self] task in self?.adopt(task) }
      session.getAllTasks { [weak self] tasks in
        for task in tasks { _ = self?.delegate.transfer(of: task) }
        self?.folder.removeFiles(
          before: Date() - Self.retention,
          exceptBodiesOf: Set(tasks.compactMap(\.taskDescription)))
        recovered.resolve(.success(()))
      }
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The number of keys whose upload has not ended.
    var openCount: Int { waiters.withLock { $0.count } }

    /// The response to `form` of the upload with that key, which begins now unless it runs or has ended.
    ///
    /// The call ends when the deadline of `request` passes or the calling task is cancelled. The upload
    /// continues then.
    func response(
      to request: HTTPRequest, with form: MultipartForm, key: String
    ) async throws -> HTTPResponse {
      try request.check()
      let promise = Promise<UploadResponse>()
      let timeout = request.timeout.map { timeout in
        scheduler.add(.now + timeout) { promise.resolve(.failure(TransportError.continues)) }
      }
      defer { if let timeout { scheduler.remove(timeout) } }
      return try await withTaskCancellationHandler {
        await recovery.value
        join(promise, request, form, key)
        return try await promise.value.http
      } onCancel: {
        promise.resolve(.failure(TransportError.cancelled(bytesSent: true)))
      }
    }

    /// Ends all uploads, and removes their files and the responses that no caller has read.
    func removeAll() async throws {
      await recovery.value
      removals.withLock { $0 += 1 }
      // An upload that begins meanwhile sees the number, or is in the list.
      let tasks = await withCheckedContinuation {
        (continuation: CheckedContinuation<[URLSessionTask], Never>) in
        session.getAllTasks { continuation.resume(returning: $0) }
      }
      for task in tasks { delegate.cancel(task) }
      try removals.withLock { _ in try folder.removeAll() }
    }

    private func join(
      _ promise: Promise<UploadResponse>, _ request: HTTPRequest, _ form: MultipartForm,
      _ key: String
    ) {
      let runs = waiters.withLock { waiters in
        defer { waiters[key, default: []].append(promise) }
        return waiters[key] != nil
      }
      guard !runs else { return }
      let removal = removals.withLock { $0 }
      Task { await run(request, form, key, since: removal) }
    }

    private func run(
      _ request: HTTPRequest, _ form: MultipartForm, _ key: String, since removal: Int
    ) async {
      if let response = folder.response(of: key) {
        return finish(key, .success(response), since: removal)
      }
      do {
        let task = try makeTask(request, form, key)
        let transfer = makeTransfer(request.url)
        register(transfer, for: task)
        if removals.withLock({ $0 != removal }) { delegate.cancel(task) }
        await follow(transfer, of: task, key, since: removal) { task.resume() }
      } catch {
        let failure = TransportError(
          .invalidRequest, message: "a file to upload cannot be read", underlying: error)
        finish(key, .failure(failure), since: removal)
      }
    }

    private func register(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
      events.open(task.taskIdentifier)
      delegate.register(transfer, for: task)
    }

    /// Waits for the response, and delivers or keeps it.
    private func follow(
      _ transfer: URLSessionTransfer, of task: URLSessionTask, _ key: String, since removal: Int,
      start: () -> Void
    ) async {
      do {
        finish(key, .success(try await transfer.uploadResponse(start: start)), since: removal)
      } catch {
        finish(key, .failure(error), since: removal)
      }
      events.close(task.taskIdentifier)
    }

    private func makeTask(
      _ request: HTTPRequest, _ form: MultipartForm, _ key: String
    ) throws -> URLSessionTask {
      let body = try folder.writeBody(form, of: key)
      let task = session.uploadTask(with: URLRequest(request), fromFile: body)
      task.taskDescription = key
      return task
    }

    private func makeTransfer(_ url: URL) -> URLSessionTransfer {
      URLSessionTransfer(
        url: url, maximumUnreadBytes: Graph.defaultMaximumResponseBytes, isWhole: true, upload: nil,
        scheduler: scheduler, stop: {})
    }

    /// Continues an upload of an earlier process.
    private func adopt(_ task: URLSessionTask) -> URLSessionTransfer? {
      guard let key = task.taskDescription, let url = task.originalRequest?.url else { return nil }
      let transfer = makeTransfer(url)
      register(transfer, for: task)
      waiters.withLock { $0[key] = $0[key] ?? [] }
      Task {
        // It began before any removal of this process.
        await follow(transfer, of: task, key, since: 0) {
          // The process ended between creating and starting it.
          if task.state == .suspended { task.resume() }
        }
      }
      return transfer
    }

    /// Delivers a response, or keeps it if no caller waits. A failure that no caller waits for is dropped:
    /// the next request with the key begins the upload again.
    ///
    /// - Parameter removal: the number of ``removals`` when the upload began.
    private func finish(
      _ key: String, _ result: Result<UploadResponse, any Error>, since removal: Int
    ) {
      folder.removeBody(of: key)
      var isSettled = false
      while let promises = takeWaiters(key, ends: isSettled) {
        if !promises.filter({ $0.resolve(result) }).isEmpty {
          folder.removeResponse(of: key)
          isSettled = true
        } else if !isSettled {
          // If the disk is full, the upload begins again as after a failure.
          if case .success(let response) = result {
            removals.withLock { if $0 == removal { try? folder.keep(response, of: key) } }
          }
          isSettled = true
        }
      }
    }

    /// - Parameter ends: whether the upload ends if there are no waiters.
    /// - Returns: nil if it has ended.
    private func takeWaiters(_ key: String, ends: Bool) -> [Promise<UploadResponse>]? {
      waiters.withLock { waiters in
        let promises = waiters[key] ?? []
        if ends, promises.isEmpty {
          waiters[key] = nil
          return nil
        }
        waiters[key] = []
        return promises
      }
    }
  }
}

extension Graph.URLSessionTransfer {
  fileprivate func uploadResponse(start: () -> Void) async throws -> Graph.UploadResponse {
    let head = try await response(start: start)
    return Graph.UploadResponse(
      status: head.status, headers: head.headers, url: head.url,
      bytes: try await head.body.collect(upTo: Graph.defaultMaximumResponseBytes))
  }
}

extension Graph.TransportError {
  fileprivate static var continues: Graph.TransportError {
    Graph.TransportError(
      .timedOut, message: "the upload continues in the background", bytesSent: true)
  }
}
