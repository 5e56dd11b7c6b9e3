import Foundation

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
  init(urlSession error: any Error) {
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
