import Foundation
import GraphJSON
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

    /// How long the events of earlier processes may take to arrive.
    static let standardGrace = Duration.seconds(10)
    private static let instances = Locked<[String: KeyedUploads]>([:])

    private let session: URLSession
    private let delegate: SessionDelegate
    private let folder: UploadFolder
    let events = BackgroundEvents()
    private let scheduler = ActionScheduler()
    private let uploads = OpenUploads()
    /// How often all uploads were removed. Responses of uploads that began before are not kept. Files of
    /// responses are written under this lock.
    private let removals = Locked(0)
    /// Ends when the uploads of earlier processes are known.
    private let recovery: Task<Void, Never>
    /// Ends when the events of earlier processes have arrived. An ended task of such a process has events, and
    /// may be missing in the list of tasks.
    private let earlierEvents: Task<Void, Never>

    /// The uploads of the session with that identifier, which `make` creates the first time. They exist until
    /// the process ends: Foundation has one session for an identifier, and returns it even after it
    /// was invalidated.
    static func shared(_ identifier: String, make: () throws -> KeyedUploads) rethrows
      -> KeyedUploads
    {
      try instances.withLock { instances in
        if let known = instances[identifier] { return known }
        let new = try make()
        instances[identifier] = new
        return new
      }
    }

    /// - Parameter list: calls its closure with the tasks of the session. Only background sessions have tasks at
    ///   this time, so tests on Linux pass some.
    init(
      configuration: URLSessionConfiguration, delegate: SessionDelegate = SessionDelegate(),
      folder: URL, grace: Duration = standardGrace,
      list: (URLSession, @escaping @Sendable ([URLSessionTask]) -> Void) -> Void = {
        $0.getAllTasks(completionHandler: $1)
      }
    ) {
      let session = delegate.makeSession(configuration)
      self.session = session
      self.delegate = delegate
      self.folder = UploadFolder(url: folder)
      let recovered = Promise<Void>()
      recovery = Task { try? await recovered.value }
      let firstEnd = events.firstEnd
      earlierEvents = Task { try? await firstEnd.value }
      delegate.report(to: events)
      // An event may arrive before the list of the tasks.
      delegate.onUnknownTask { [weak self] task in self?.adopt(task) }
      list(session) { [weak self, scheduler] tasks in
        for task in tasks { _ = self?.delegate.transfer(of: task) }
        self?.folder.removeFiles(
          before: Date() - Self.retention,
          exceptBodiesOf: Set(tasks.compactMap(\.taskDescription)))
        _ = scheduler.add(.now + grace) { firstEnd.resolve(.success(())) }
        recovered.resolve(.success(()))
      }
    }

    deinit {
      events.firstEnd.resolve(.success(()))
      session.finishTasksAndInvalidate()
    }

    /// The number of keys whose upload has not ended.
    var openCount: Int { uploads.count }

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
        Task {
          await recovery.value
          await join(promise, request, form, key)
        }
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
    ) async {
      // The caller may have been cancelled meanwhile.
      while !promise.isResolved {
        switch uploads.join(promise, key) {
        case .running: return
        case .ending(let end): try? await end.value
        case .new(let id):
          let removal = removals.withLock { $0 }
          Task { await run(request, form, key, id, since: removal) }
          return
        }
      }
    }

    private func run(
      _ request: HTTPRequest, _ form: MultipartForm, _ key: String, _ id: UUID, since removal: Int
    ) async {
      if let response = folder.response(of: key) {
        return settle(key, .success(response), since: removal)
      }
      if folder.hasBody(of: key) {
        // An earlier process has begun the upload, and its task is not in the list.
        await earlierEvents.value
      }
      guard uploads.needsTask(id, key) else { return }
      do {
        if removals.withLock({ $0 != removal }) { throw TransportError.cancelled(bytesSent: false) }
        let task = try makeTask(request, form, key)
        let transfer = makeTransfer(of: task, request.url)
        delegate.register(transfer, for: task)
        open(task, key)
        if removals.withLock({ $0 != removal }) { delegate.cancel(task) }
        await follow(transfer, of: task, key, since: removal) { task.resume() }
      } catch {
        if uploads.needsTask(id, key) { settle(key, .failure(error), since: removal) }
      }
    }

    private func open(_ task: URLSessionTask, _ key: String) {
      events.open(task.taskIdentifier)
      uploads.add(task, key)
    }

    /// Waits for the response, and delivers or keeps it.
    private func follow(
      _ transfer: URLSessionTransfer, of task: URLSessionTask, _ key: String, since removal: Int,
      start: () -> Void
    ) async {
      do {
        finish(task, key, .success(try await transfer.uploadResponse(start: start)), since: removal)
      } catch {
        finish(task, key, .failure(error), since: removal)
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

    private func makeTransfer(of task: URLSessionTask, _ url: URL) -> URLSessionTransfer {
      URLSessionTransfer(
        url: url, maximumUnreadBytes: Graph.defaultMaximumResponseBytes, isWhole: true, upload: nil,
        scheduler: scheduler, stop: { [delegate] in delegate.cancel(task) })
    }

    /// Continues an upload of an earlier process.
    private func adopt(_ task: URLSessionTask) -> URLSessionTransfer? {
      guard let key = task.taskDescription, let url = task.originalRequest?.url else { return nil }
      let transfer = makeTransfer(of: task, url)
      open(task, key)
      Task {
        // It began before any removal of this process.
        await follow(transfer, of: task, key, since: 0) {
          // The process ended between creating and starting it.
          if task.state == .suspended { task.resume() }
        }
      }
      return transfer
    }

    /// Ends an upload with the result of a task. A failure does not end it while another task sends it.
    private func finish(
      _ task: URLSessionTask, _ key: String, _ result: Result<UploadResponse, any Error>,
      since removal: Int
    ) {
      guard let others = uploads.remove(task, key) else { return }
      if case .failure = result, !others.isEmpty { return }
      for other in others { delegate.cancel(other) }
      settle(key, result, since: removal)
    }

    /// Delivers a response, or keeps it if no caller waits. A failure that no caller waits for is dropped:
    /// the next request with the key begins the upload again.
    ///
    /// - Parameter removal: the number of ``removals`` when the upload began.
    private func settle(
      _ key: String, _ result: Result<UploadResponse, any Error>, since removal: Int
    ) {
      folder.removeBody(of: key)
      // All of them, not only the first.
      let delivered = uploads.takeWaiters(key).filter { $0.resolve(result) }
      if !delivered.isEmpty {
        folder.removeResponse(of: key)
      } else if case .success(let response) = result {
        // If the disk is full, the upload begins again as after a failure.
        removals.withLock { if $0 == removal { try? folder.keep(response, of: key) } }
      }
      // A caller that has its result may call again, and must not receive it a second time.
      uploads.end(key)
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

extension Graph {
  /// The uploads that have not ended, by their keys: the callers that wait for them, and their tasks.
  ///
  /// An upload has two tasks if the system reports one of an earlier process after another has begun.
  final class OpenUploads: Sendable {
    private struct Upload {
      let id = UUID()
      var waiters: [Promise<UploadResponse>] = []
      var tasks: [Int: URLSessionTask] = [:]
      /// Whether its last task has ended.
      var isEnding = false
      /// Resolved when the result is delivered or kept; nil as long as callers can join.
      var end: SharedResult<Void>?
    }

    enum Joined {
      case new(UUID)
      case running
      /// The caller was not added, and can try again at the end.
      case ending(SharedResult<Void>)
    }

    private let uploads = Locked<[String: Upload]>([:])

    var count: Int { uploads.withLock { $0.count } }

    /// Adds a caller.
    func join(_ promise: Promise<UploadResponse>, _ key: String) -> Joined {
      uploads.withLock { uploads in
        if let end = uploads[key]?.end { return .ending(end) }
        let isNew = uploads[key] == nil
        var upload = uploads[key] ?? Upload()
        upload.waiters.append(promise)
        uploads[key] = upload
        return isNew ? .new(upload.id) : .running
      }
    }

    /// Whether the upload has not ended and has no task.
    func needsTask(_ id: UUID, _ key: String) -> Bool {
      uploads.withLock { uploads in
        uploads[key].map { $0.id == id && $0.tasks.isEmpty && !$0.isEnding } ?? false
      }
    }

    /// Adds a task, of a new upload if there is none with the key.
    func add(_ task: URLSessionTask, _ key: String) {
      uploads.withLock { $0[key, default: Upload()].tasks[task.taskIdentifier] = task }
    }

    /// Removes a task that has ended.
    ///
    /// - Returns: the other tasks of the upload; nil if it has ended with another one.
    func remove(_ task: URLSessionTask, _ key: String) -> [URLSessionTask]? {
      uploads.withLock { uploads in
        guard uploads[key]?.tasks.removeValue(forKey: task.taskIdentifier) != nil else {
          return nil
        }
        let others = uploads[key].map { Array($0.tasks.values) } ?? []
        uploads[key]?.isEnding = others.isEmpty
        return others
      }
    }

    /// The callers of an upload whose result is known. No others can join.
    func takeWaiters(_ key: String) -> [Promise<UploadResponse>] {
      uploads.withLock { uploads in
        let waiters = uploads[key]?.waiters ?? []
        uploads[key]?.waiters = []
        uploads[key]?.end = SharedResult()
        return waiters
      }
    }

    func end(_ key: String) {
      let end = uploads.withLock { $0.removeValue(forKey: key)?.end }
      end?.resolve(.success(()))
    }
  }
}

extension Graph {
  /// The files of uploads: bodies while they are sent, and responses until a caller reads them. Each is
  /// readable by the user only (folder 0700, files 0600), and its name is the digest of the upload's key.
  struct UploadFolder: Sendable {
    let url: URL

    init(url: URL) { self.url = url }

    /// The folder of the session with that identifier, in `parent`, which may contain other files. An
    /// identifier may have characters that a path cannot have.
    init(of identifier: String, in parent: URL) {
      url = parent.appendingPathComponent(SHA256.hexDigest(identifier))
    }

    /// Writes a form. The session reads the file, also after this process has ended.
    ///
    /// - Returns: the file.
    /// - Throws: ``TransportError``: `invalidRequest` or `cannotWriteFile`.
    func writeBody(_ form: MultipartForm, of key: String) throws -> URL {
      do {
        try create()
        removeBody(of: key)
        let file = bodyFile(key)
        try form.write(to: file) {}
        try protect(file)
        return file
      } catch {
        removeBody(of: key)
        throw error as? TransportError ?? .cannotWriteFile(error)
      }
    }

    func removeBody(of key: String) { try? FileManager.default.removeItem(at: bodyFile(key)) }

    func hasBody(of key: String) -> Bool {
      FileManager.default.fileExists(atPath: bodyFile(key).path)
    }

    func keep(_ response: UploadResponse, of key: String) throws {
      try create()
      try PrivateFile.write(response.encoded, to: responseFile(key), in: url)
      try protect(responseFile(key))
    }

    /// The response that was kept; nil if there is none, or if it cannot be read.
    func response(of key: String) -> UploadResponse? {
      (try? Data(contentsOf: responseFile(key))).flatMap { UploadResponse([UInt8]($0)) }
    }

    func removeResponse(of key: String) {
      try? FileManager.default.removeItem(at: responseFile(key))
    }

    /// Removes all files that can be removed. The folder keeps its attributes.
    ///
    /// - Throws: the first error.
    func removeAll() throws {
      guard FileManager.default.fileExists(atPath: url.path) else { return }
      var failure: (any Error)?
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
        let file = url.appendingPathComponent(name)
        do {
          try FileManager.default.removeItem(at: file)
        } catch  where FileManager.default.fileExists(atPath: file.path) {
          failure = failure ?? error
        } catch {
          // An upload that ended has removed it.
        }
      }
      if let failure { throw failure }
    }

    /// Creates the folder if the app or the system has removed it. Backups leave it out.
    private func create() throws {
      try PrivateFile.createFolder(url)
      try protect(url)
      #if canImport(Darwin)
        var folder = url
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
      #endif
    }

    /// The system reads bodies, and the app writes responses, while the device is locked.
    private func protect(_ file: URL) throws {
      #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: file.path)
      #endif
    }

    /// Removes files that were last changed before `date`, except for the bodies of `keys`.
    func removeFiles(before date: Date, exceptBodiesOf keys: Set<String>) {
      let manager = FileManager.default
      let bodies = Set(keys.map { bodyFile($0).lastPathComponent })
      for name in (try? manager.contentsOfDirectory(atPath: url.path)) ?? []
      where !bodies.contains(name) {
        let file = url.appendingPathComponent(name)
        let changed = try? manager.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        if changed.map({ $0 < date }) ?? false { try? manager.removeItem(at: file) }
      }
    }

    private func bodyFile(_ key: String) -> URL { file(key, "body") }
    private func responseFile(_ key: String) -> URL { file(key, "response") }

    private func file(_ key: String, _ suffix: String) -> URL {
      url.appendingPathComponent("\(SHA256.hexDigest(key)).\(suffix)")
    }
  }

  /// A whole response: in a file, a line of JSON with the head, and the body.
  struct UploadResponse: Sendable, Equatable {
    let status: Int
    let headers: Headers
    let url: URL
    let bytes: [UInt8]

    var http: HTTPResponse {
      HTTPResponse(status: status, headers: headers, url: url, body: HTTPResponse.Body(bytes))
    }
  }
}

extension Graph.UploadResponse {
  fileprivate var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.value([
      "status": JSON(Int64(status)), "url": .string(url.absoluteString),
      "headers": .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) }),
    ])
    return writer.finish() + [UInt8(ascii: "\n")] + bytes
  }

  fileprivate init?(_ encoded: [UInt8]) {
    guard let end = encoded.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(encoded[..<end])).root,
      let status = head["status"]?.int, let url = head["url"]?.string.flatMap(URL.init(string:))
    else { return nil }
    let fields = (head["headers"]?.array ?? []).compactMap { field -> Graph.Headers.Field? in
      let parts = (field.array ?? []).compactMap(\.string)
      return parts.count == 2 ? Graph.Headers.Field(name: parts[0], value: parts[1]) : nil
    }
    self.init(
      status: Int(status), headers: Graph.Headers(fields), url: url,
      bytes: Array(encoded[(end + 1)...]))
  }
}
