import Foundation
import GraphQLRuntime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph {
  /// The transport over URLSession, which is the standard one on Apple platforms.
  ///
  /// On Linux, FoundationNetworking cannot handle every response: a chunked response with a trailer
  /// field, or a connection that closes inside the head of a response, **ends the process**. It
  /// ignores ``HTTPRequest/connectTimeout`` and ``HTTPRequest/idleTimeout``, and
  /// ``TransportError/bytesSent`` is wrong for responses that are not HTTP and for certificates
  /// that are refused. Use ``CurlTransport`` there, which is the default.
  ///
  /// Header fields of the configuration are sent only to the origin of the request, and so is the
  /// operation unless ``RedirectPolicy/operationOrigins`` allows another.
  ///
  /// It keeps no cookies and no HTTP cache, so that no response and no token is written to disk. It
  /// follows redirects by its own rules (``RedirectPolicy``) and keeps its own deadlines, since
  /// URLSession's differ between platforms.
  public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate: SessionDelegate
    private let maximumUnreadBytes: Int
    private let redirects: RedirectPolicy
    private let scheduler = ActionScheduler()
    /// The `httpAdditionalHeaders` of the configuration. The session does not get them, as it would
    /// send them to any origin.
    public let additionalHeaders: Headers

    /// - Parameters:
    ///   - configuration: copied; its cookie storage and its cache are left out, and its
    ///     `httpAdditionalHeaders` become ``additionalHeaders``.
    ///   - maximumUnreadBytes: the maximum number of unread bytes of a response, decoded, before
    ///     the transfer ends with `tooLarge`.
    public convenience init(
      configuration: URLSessionConfiguration = .ephemeral, redirects: RedirectPolicy = .standard,
      maximumUnreadBytes: Int = Graph.defaultMaximumResponseBytes
    ) {
      self.init(
        configuration: configuration, forwarding: nil, redirects: redirects,
        maximumUnreadBytes: maximumUnreadBytes)
    }

    /// A transport with the configuration of `session`. Its delegate still handles authentication
    /// challenges, including checks of pinned certificates.
    public convenience init(
      session: URLSession, redirects: RedirectPolicy = .standard,
      maximumUnreadBytes: Int = Graph.defaultMaximumResponseBytes
    ) {
      self.init(
        configuration: session.configuration, forwarding: session, redirects: redirects,
        maximumUnreadBytes: maximumUnreadBytes)
    }

    private init(
      configuration: URLSessionConfiguration, forwarding: URLSession?, redirects: RedirectPolicy,
      maximumUnreadBytes: Int
    ) {
      let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
      configuration.keepNothing()
      additionalHeaders = Headers(additional: configuration.httpAdditionalHeaders)
      configuration.httpAdditionalHeaders = nil
      delegate = SessionDelegate(forwarding: forwarding)
      session = delegate.makeSession(configuration)
      self.redirects = redirects
      self.maximumUnreadBytes = maximumUnreadBytes
    }

    /// The number of transfers that the session has not ended.
    var openTransferCount: Int { delegate.transferCount }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends `request` and follows its redirects.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      var request = request
      // The client has merged them, unless another transport in between hides them.
      var headers = additionalHeaders
      headers.merge(request.headers)
      request.headers = headers
      try request.check()
      let deadline = request.timeout.map { ContinuousClock.now + $0 }
      return try await redirects.following(request) { try await sendOnce($0, until: deadline) }
    }

    private func sendOnce(
      _ request: HTTPRequest, until deadline: ContinuousClock.Instant?
    ) async throws -> HTTPResponse {
      let upload = try await UploadFile(request.body, until: deadline)
      let task = makeTask(request, upload: upload)
      let transfer = URLSessionTransfer(
        url: request.url, maximumUnreadBytes: request.wholeResponseLimit ?? maximumUnreadBytes,
        isWhole: request.wholeResponseLimit != nil, upload: upload, scheduler: scheduler,
        stop: { [delegate] in delegate.cancel(task) })
      delegate.register(transfer, for: task)
      if let deadline { transfer.limit(to: deadline, sparesStreams: request.allowsStreaming) }
      return try await transfer.response { task.resume() }
    }

    private func makeTask(_ request: HTTPRequest, upload: UploadFile?) -> URLSessionTask {
      var urlRequest = URLRequest(request)
      urlRequest.timeoutInterval = Self.idleLimit(request)
      switch (request.body, upload) {
      case (.bytes(let bytes), _): urlRequest.httpBody = Data(bytes)
      case (.multipart, let upload?):
        return session.uploadTask(with: urlRequest, fromFile: upload.url)
      default: break
      }
      return session.dataTask(with: urlRequest)
    }

    /// URLSession's own limit is only a fallback for the transport's deadline. It has whole seconds
    /// on Linux.
    private static func idleLimit(_ request: HTTPRequest) -> TimeInterval {
      guard let timeout = request.timeout, !request.allowsStreaming else {
        return 24 * 60 * 60
      }
      return TimeInterval(timeout.components.seconds) + 2
    }
  }

  /// The maximum number of bytes of one response, decoded, by default: 64 MiB.
  public static let defaultMaximumResponseBytes = 64 << 20
}

extension Graph.Headers {
  fileprivate init(additional fields: [AnyHashable: Any]?) {
    self.init(
      (fields ?? [:]).map { Field(name: "\($0.key)", value: "\($0.value)") }
        .sorted { $0.name < $1.name })
  }
}

extension Graph.HTTPRequest {
  /// Rejects requests that no HTTP transport can send.
  func check() throws(Graph.TransportError) {
    try headers.check()
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host, !host.isEmpty
    else {
      throw Graph.TransportError(
        .invalidRequest, message: "the endpoint is not an http or https URL")
    }
  }
}

extension URLRequest {
  /// A request without its body. Its content type is that of the form if it has one.
  init(_ request: Graph.HTTPRequest) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    allHTTPHeaderFields = request.headers.joined
    if case .multipart(let form) = request.body {
      setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }
  }
}

extension URLSessionConfiguration {
  /// Neither cookies nor responses are kept.
  func keepNothing() {
    urlCache = nil
    requestCachePolicy = .reloadIgnoringLocalCacheData
    httpCookieStorage = nil
    httpShouldSetCookies = false
    // Otherwise Linux searches every line of a head for cookies, with or without a cookie storage.
    httpCookieAcceptPolicy = .never
  }
}

extension Graph.Headers {
  /// The fields by name; fields of the same name become one, their values joined by commas (RFC
  /// 9110, section 5.3).
  fileprivate var joined: [String: String] {
    var joined: [String: String] = [:]
    joined.reserveCapacity(fields.count)
    for field in fields {
      if let name = joined.keys.first(where: { Self.isSame($0, field.name) }) {
        joined[name]?.append(", \(field.value)")
      } else {
        joined[field.name] = field.value
      }
    }
    return joined
  }
}

extension Graph.TransportError {
  /// A ``TransportError`` for an error of URLSession.
  ///
  /// The code and text of the cause are kept. Its other entries contain the address, whose user
  /// information and query may be secrets.
  package init(urlSession error: any Error) {
    let text = [NSLocalizedDescriptionKey: error.localizedDescription]
    guard let urlError = error as? URLError else {
      let error = error as NSError
      self.init(
        .connectionLost, message: "the transfer failed",
        underlying: NSError(domain: error.domain, code: error.code, userInfo: text),
        bytesSent: true)
      return
    }
    let (code, message, bytesSent) = Self.meaning(urlError.code)
    self.init(
      code, message: "\(message) (URLError \(urlError.errorCode))",
      underlying: URLError(urlError.code, userInfo: text), bytesSent: bytesSent)
  }

  private static func meaning(_ code: URLError.Code) -> (Code, String, bytesSent: Bool) {
    switch code {
    case .cannotFindHost, .dnsLookupFailed:
      (.cannotConnect, "the host's name cannot be resolved", false)
    case .cannotConnectToHost:
      (.cannotConnect, "the connection to the endpoint could not be established", false)
    case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
      (.cannotConnect, "there is no network connection", false)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired:
      (.tls, "the secure connection could not be established", false)
    case .appTransportSecurityRequiresSecureConnection:
      (.tls, "the platform requires a secure connection", false)
    case .timedOut: (.timedOut, "the request timed out", true)
    case .cancelled: (.cancelled, "the request was cancelled", true)
    case .badURL, .unsupportedURL: (.invalidRequest, "the endpoint's URL is invalid", false)
    case .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
      (.invalidResponse, "the response cannot be decoded", true)
    case .dataLengthExceedsMaximum: (.tooLarge, "the response is too large", true)
    default: (.connectionLost, "the connection was lost", true)
    }
  }
}

extension Graph {
  /// Passes the events of a session to their transfers. The session calls it on one serial queue,
  /// which on Linux is its own; see ``InlineQueue``.
  final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Tasks {
      var transfers: [Int: URLSessionTransfer] = [:]
      /// Creates the transfer of a task that an earlier process has started.
      var adopt: (@Sendable (URLSessionTask) -> URLSessionTransfer?)?
      /// The completed tasks of a session whose tasks are adopted. Such a task is not adopted again: it may
      /// be in a list that was made before it completed.
      var completed: Set<Int> = []
    }

    private let tasks = Locked(Tasks())
    /// The session whose delegate handles authentication challenges.
    private let forwarding: URLSession?
    /// The queue on which tasks are ended from outside. On Linux, the process crashes if two
    /// threads end one task at the same time, one by cancelling it and one by responding to its
    /// challenge. Neither may wait for the session on the session's own queue.
    private let control = DispatchQueue(label: "Graph.URLSessionTransport")

    init(forwarding: URLSession? = nil) { self.forwarding = forwarding }

    /// Calls `adopt` once for each task without a transfer that has an event or is in a list. It must not call
    /// the delegate.
    func onUnknownTask(_ adopt: @escaping @Sendable (URLSessionTask) -> URLSessionTransfer?) {
      tasks.withLock { $0.adopt = adopt }
    }

    /// The session whose delegate this is.
    func makeSession(_ configuration: URLSessionConfiguration) -> URLSession {
      #if canImport(FoundationNetworking)
        let queue: OperationQueue? = InlineQueue()
      #else
        let queue: OperationQueue? = nil
      #endif
      return URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    }

    var transferCount: Int { tasks.withLock { $0.transfers.count } }

    private let events = Locked<BackgroundEvents?>(nil)

    /// Tells `events` which tasks have completed, and when all events have been delivered.
    func report(to events: BackgroundEvents) { self.events.withLock { $0 = events } }

    #if canImport(Darwin)
      func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        events.withLock { $0 }?.end()
      }
    #endif

    func register(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
      tasks.withLock { $0.transfers[task.taskIdentifier] = transfer }
    }

    func cancel(_ task: URLSessionTask) {
      control.async { task.cancel() }
    }

    #if canImport(FoundationNetworking)
      /// The response with the challenge is complete when it is reported, and without a credential,
      /// the session would do nothing more.
      private func complete(_ task: URLSessionTask) {
        transfer(of: task)?.didComplete(nil)
        cancel(task)
      }
    #endif

    func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
      let id = task.taskIdentifier
      return tasks.withLock { tasks in
        if let transfer = tasks.transfers[id] { return transfer }
        guard !tasks.completed.contains(id), let transfer = tasks.adopt?(task) else { return nil }
        tasks.transfers[id] = transfer
        return transfer
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let transfer = transfer(of: dataTask), let response = response as? HTTPURLResponse
      else { return completionHandler(.cancel) }
      let isWanted = transfer.didReceiveHead(
        status: response.statusCode, headers: Headers(response))
      completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfer(of: dataTask)?.didReceive(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let transfer = transfer(of: task)
      tasks.withLock { tasks in
        tasks.transfers[task.taskIdentifier] = nil
        if tasks.adopt != nil { tasks.completed.insert(task.taskIdentifier) }
      }
      // An upload of a background session has no event for its head.
      if let response = task.response as? HTTPURLResponse {
        transfer?.addHead(status: response.statusCode, headers: Headers(response))
      }
      // Before the end of the transfer, after which the response is kept on another thread.
      events.withLock { $0 }?.complete(task.taskIdentifier)
      transfer?.didComplete(error.map(TransportError.init(urlSession:)))
    }

    #if canImport(FoundationNetworking)
      /// libcurl restarts a request when the reused connection turns out to be closed. It then
      /// needs the body from its start, which URLSession does not provide: the server would wait
      /// for the rest until the timeout. The caller knows what is sent, so it decides whether to
      /// retry.
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
      ) {
        transfer(of: task)?.abandon(.staleConnection)
        completionHandler(nil)
      }
    #endif

    /// The redirect is delivered as a response, and the transport decides.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let respond: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
        disposition, credential in
        #if canImport(FoundationNetworking)
          let isPending =
            disposition == .rejectProtectionSpace
            || disposition == .performDefaultHandling && challenge.proposedCredential == nil
          if isPending { return self.complete(task) }
        #endif
        self.control.async { completionHandler(disposition, credential) }
      }
      guard let forwarding, let delegate = forwarding.delegate else {
        return respond(.performDefaultHandling, nil)
      }
      forwarding.delegateQueue.addOperation {
        forward(challenge, of: task, to: delegate, of: forwarding, respond)
      }
    }
  }
}

private func forward(
  _ challenge: URLAuthenticationChallenge, of task: URLSessionTask,
  to delegate: any URLSessionDelegate, of session: URLSession,
  _ respond: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
) {
  #if canImport(FoundationNetworking)
    if let delegate = delegate as? any URLSessionTaskDelegate {
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: respond)
    } else {
      delegate.urlSession(session, didReceive: challenge, completionHandler: respond)
    }
  #else
    let response: Void? =
      (delegate as? any URLSessionTaskDelegate)?.urlSession?(
        session, task: task, didReceive: challenge, completionHandler: respond)
      ?? delegate.urlSession?(session, didReceive: challenge, completionHandler: respond)
    if response == nil { respond(.performDefaultHandling, nil) }
  #endif
}

extension Graph.Headers {
  fileprivate init(_ response: HTTPURLResponse) {
    self.init(
      response.allHeaderFields.compactMap { name, value in
        guard let name = name as? String, let value = value as? String else { return nil }
        return Field(name: name, value: value)
      })
  }
}

#if canImport(FoundationNetworking)
  import Foundation

  extension Graph {
    /// The delegate queue of a session. It calls the delegate directly on the session's own serial
    /// queue, on which all of its other events happen.
    ///
    /// Otherwise each event of a transfer would be an operation in a queue that wakes a thread for
    /// it. These operations together would double the time of a request. The delegate must not call
    /// the session.
    // Safe: the superclass is Sendable, and this class adds no state.
    final class InlineQueue: OperationQueue, @unchecked Sendable {
      override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
  }
#endif

extension Graph {
  /// A multipart body written to one file that only the user can read, since URLSession streams
  /// files from disk on every platform. It is removed when its transfer ends.
  final class UploadFile: Sendable {
    let url: URL

    /// - Parameter deadline: writing ends when it passes.
    /// - Returns: nil if `body` is not a multipart form.
    /// - Throws: ``TransportError``: `invalidRequest`, `cannotWriteFile`, or `cancelled` if the calling task is
    ///   cancelled during the call.
    init?(_ body: HTTPRequest.Body, until deadline: ContinuousClock.Instant? = nil) async throws {
      guard case .multipart(let form) = body else { return nil }
      let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("graph-upload-\(UUID().uuidString)")
      self.url = url
      let isCancelled = Locked(false)
      do {
        try await withTaskCancellationHandler {
          try await Self.onBackgroundThread {
            try form.write(to: url) {
              if isCancelled.withLock({ $0 }) { throw TransportError.cancelled(bytesSent: false) }
              if let deadline, deadline <= .now {
                throw TransportError(
                  .timedOut, message: "the request timed out while its files were read")
              }
            }
          }
        } onCancel: {
          isCancelled.withLock { $0 = true }
        }
      } catch {
        try? FileManager.default.removeItem(at: url)
        throw error
      }
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    deinit { remove() }

    private static func onBackgroundThread(
      _ work: @escaping @Sendable () throws -> Void
    ) async throws {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
      }
    }
  }
}

extension Graph.MultipartForm {
  /// Writes the body to a new file with the permissions 0600, a piece at a time.
  ///
  /// - Parameter check: called before each piece; an error that it throws ends the writing.
  /// - Throws: errors of `check`, and ``TransportError``: `invalidRequest` if a file cannot be read, and
  ///   `cannotWriteFile` if the new file cannot be written.
  func write(to url: URL, _ check: () throws -> Void) throws {
    guard
      FileManager.default.createFile(
        atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw Graph.TransportError.cannotWriteFile(CocoaError(.fileWriteUnknown)) }
    let output = try writing { try FileHandle(forWritingTo: url) }
    defer { try? output.close() }
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): try writing { try output.write(contentsOf: Data(bytes)) }
      case .file(let source):
        let input = try reading { try FileHandle.reading(source) }
        defer { try? input.close() }
        while let piece = try reading({ try input.read(upToCount: 1 << 18) }), !piece.isEmpty {
          try check()
          try writing { try output.write(contentsOf: piece) }
        }
      }
    }
  }
}

extension Graph.TransportError {
  /// Unlike a file that cannot be read, this is worth a later attempt.
  static func cannotWriteFile(_ error: any Error) -> Graph.TransportError {
    Graph.TransportError(
      .cannotWriteFile, message: "a copy of a file to upload cannot be written", underlying: error)
  }
}

private func reading<Value>(_ read: () throws -> Value) throws(Graph.TransportError) -> Value {
  do {
    return try read()
  } catch {
    throw Graph.TransportError(
      .invalidRequest, message: "a file to upload cannot be read", underlying: error)
  }
}

private func writing<Value>(_ write: () throws -> Value) throws(Graph.TransportError) -> Value {
  do {
    return try write()
  } catch {
    throw .cannotWriteFile(error)
  }
}
