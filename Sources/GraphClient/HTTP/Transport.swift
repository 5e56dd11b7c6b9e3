import Foundation
import GraphQLRuntime

extension Graph {
  /// Carries requests to a server and returns the responses. The client needs nothing else, so a
  /// mock endpoint inside the process can replace the network.
  ///
  /// A transport
  /// - returns when the head of the response has arrived, whatever its status, and delivers the
  ///   body in pieces;
  /// - reports failures as ``TransportError``;
  /// - ends at once with `cancelled` when the calling task is cancelled;
  /// - respects ``HTTPRequest/timeout``;
  /// - does not send credentials to another origin, nor an operation unless it is allowed to (see
  ///   ``RedirectPolicy``).
  public protocol Transport: Sendable {
    /// Header fields that the transport sends with each request, in addition to the client's; none
    /// by default. The client sends them itself, and its own fields override them, so they
    /// determine whose responses the cache may return and which queries share one. A transport that
    /// wraps another one passes on its fields.
    var additionalHeaders: Headers { get }

    /// The head of the response to `request`, and its body while it arrives.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
  }
}

extension Graph.Transport {
  public var additionalHeaders: Graph.Headers { [:] }
}

extension Graph {
  /// A request without a complete response.
  public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. The set is open: compare values, and handle unknown ones.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      public let description: String

      /// A code of your own, for your own transport.
      public init(_ name: String) { description = name }

      /// No connection could be opened: the name is unknown, nothing listens, there is no network.
      public static let cannotConnect = Code("cannotConnect")
      /// The request timed out.
      public static let timedOut = Code("timedOut")
      /// The connection failed before the response was complete.
      public static let connectionLost = Code("connectionLost")
      /// The calling task was cancelled.
      public static let cancelled = Code("cancelled")
      /// The server's certificate or the secure connection was refused.
      public static let tls = Code("tls")
      /// The response has more bytes than the limit.
      public static let tooLarge = Code("tooLarge")
      /// The request cannot be sent as it is.
      public static let invalidRequest = Code("invalidRequest")
      /// A copy of a file to upload cannot be written: the disk may be full.
      public static let cannotWriteFile = Code("cannotWriteFile")
      /// The response is not HTTP, or cannot be decoded.
      public static let invalidResponse = Code("invalidResponse")
      /// A redirect that would lose the operation, form a cycle or leave a secure connection.
      public static let redirectRefused = Code("redirectRefused")
      /// The platform lacks what the request needs.
      public static let unsupported = Code("unsupported")
    }

    /// The kind of failure.
    public let code: Code
    /// For developers; it contains no header values.
    public let message: String
    /// The cause as the platform reports it.
    public let underlying: (any Error)?
    /// Whether the server may have received a part of the request.
    public let bytesSent: Bool

    /// A failure; by default, of a request that the server has not received.
    public init(
      _ code: Code, message: String, underlying: (any Error)? = nil, bytesSent: Bool = false
    ) {
      self.code = code
      self.message = message
      self.underlying = underlying
      self.bytesSent = bytesSent
    }

    public var description: String { "\(code): \(message)" }

    /// Whether nothing of a body is read after it. After another failure, what arrived before can still be read.
    var endsReading: Bool { code == .cancelled || code == .tooLarge }

    /// The error of a request of which an earlier attempt may have been received.
    package var afterSending: TransportError {
      TransportError(code, message: message, underlying: underlying, bytesSent: true)
    }
  }
}

extension Graph.TransportError: LocalizedError {
  /// A sentence in English that a user may see. For other languages, choose a text by ``code``.
  public var errorDescription: String? {
    switch code {
    case .cancelled: "The request was cancelled."
    case .timedOut: "The service did not respond in time."
    case .cannotConnect, .connectionLost: "The service cannot be reached."
    case .tls: "A secure connection to the service cannot be made."
    case .tooLarge: "The response of the service is too large."
    case .cannotWriteFile: "A file cannot be written."
    default: "The request failed."
    }
  }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension Graph.TransportError {
  /// The error of a call that times out.
  ///
  /// - Parameter activity: the current step: "while it waited for …".
  static func deadlineExceeded(_ activity: String, bytesSent: Bool) -> Graph.TransportError {
    Graph.TransportError(
      .timedOut, message: "the call timed out \(activity)", bytesSent: bytesSent)
  }
}

extension Graph {
  /// The request that a ``Transport`` sends.
  public struct HTTPRequest: Sendable {
    /// The methods of GraphQL over HTTP.
    public enum Method: String, Sendable, Hashable {
      case get = "GET"
      case post = "POST"
    }

    /// The body of a request.
    public enum Body: Sendable {
      case none
      case bytes([UInt8])
      /// Parts that are read from disk while they are sent. The transport sets the content type.
      case multipart(MultipartForm)
    }

    /// The method of the request.
    public var method: Method
    /// An http or https address.
    public var url: URL
    /// Header fields, without those that the transport sets itself.
    public var headers: Headers
    /// The body of the request.
    public var body: Body
    /// The maximum time until the whole body has been received; nil means no limit.
    public var timeout: Duration?
    /// The maximum time until there is a connection, including TLS; nil means no limit. The time
    /// that a request waits for a free connection to its host does not count.
    public var connectTimeout: Duration?
    /// The maximum idle time once there is a connection; nil means no limit.
    public var idleTimeout: Duration?
    /// Whether two such requests have the same effect on the server as one (RFC 9110, section
    /// 9.2.2). A transport may retry such a request once if the reused connection fails before a
    /// byte of the response.
    public var isIdempotent = false
    /// Whether the response may be a stream without a defined end. For a stream, ``timeout`` limits
    /// only the head; a response that is not a stream (``HTTPResponse/isStream``) still has to be
    /// complete in time.
    public var allowsStreaming = false
    /// Set if the response is needed as a whole: the maximum number of bytes, decoded. A transport
    /// may then return when all of it has arrived, which avoids waking a task for each piece.
    public var wholeResponseLimit: Int?

    /// A POST by default.
    public init(
      method: Method = .post, url: URL, headers: Headers = [:], body: Body = .none,
      timeout: Duration? = nil
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
      self.timeout = timeout
    }
  }
}

extension Graph.HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// Method, origin and path: no query, no user information, no secrets.
  public var description: String {
    "\(method.rawValue) \(url.scheme ?? "")://\(url.host ?? "")\(url.path)"
  }

  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension Graph {
  /// The head of a response, and its body while it arrives.
  public struct HTTPResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The response's header fields.
    public let headers: Headers
    /// The URL of the response, after redirects.
    public let url: URL
    /// The content, which can be read once.
    public let body: Body

    /// A response whose head is complete.
    public init(status: Int, headers: Headers = [:], url: URL, body: Body) {
      self.status = status
      self.headers = headers
      self.url = url
      self.body = body
    }

    /// Whether the body is a sequence of payloads: server-sent events or parts, with a status of
    /// success.
    public var isStream: Bool { Self.isStream(status: status, headers: headers) }

    static func isStream(status: Int, headers: Headers) -> Bool {
      let type = MediaType(headers["Content-Type"])?.essence
      return (200..<300).contains(status)
        && (type == MediaType.eventStream || type == MediaType.multipartMixed)
    }
  }
}

extension Graph.HTTPResponse {
  /// Decoded content (RFC 9110, section 8.4) in pieces as they arrive. It can be read once; ending
  /// the reading task, or releasing the iterator, ends the transfer.
  public struct Body: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = any Error

    private typealias Next = nonisolated(nonsending) () async throws -> [UInt8]?

    private let makeNext: @Sendable () -> Next

    /// The pieces of `sequence`. Before macOS 15 and iOS 18, it is not read on the caller's actor.
    // Safe: only one call at a time has the iterator, and the caller waits for its end.
    public init<Chunks: AsyncSequence & Sendable>(_ sequence: Chunks)
    where Chunks.Element == [UInt8] {
      makeNext = {
        nonisolated(unsafe) var iterator = sequence.makeAsyncIterator()
        return {
          if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            return try await unsafe iterator.next(isolation: #isolation)
          }
          return try await unsafe iterator.next()
        }
      }
    }

    /// A body that is already complete.
    public init(_ bytes: [UInt8]) {
      makeNext = {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        return {
          defer { rest = nil }
          return rest
        }
      }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(step: makeNext()) }

    /// Reads the pieces.
    public struct Iterator: AsyncIteratorProtocol {
      let step: nonisolated(nonsending) () async throws -> [UInt8]?

      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> [UInt8]? {
        try await step()
      }

      nonisolated(nonsending) public mutating func next() async throws -> [UInt8]? {
        try await step()
      }
    }
  }
}

extension Graph.HTTPResponse.Body {
  /// The whole body.
  ///
  /// - Throws: ``Graph/TransportError`` with the code `tooLarge` as soon as there are more than
  ///   `maximum` bytes; this also ends the transfer.
  func collect(upTo maximum: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in self {
      guard bytes.count + chunk.count <= maximum else {
        throw Graph.TransportError.responseTooLarge(maximum)
      }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
    return bytes
  }
}

extension Graph.TransportError {
  static func responseTooLarge(_ maximum: Int) -> Graph.TransportError {
    Graph.TransportError(
      .tooLarge, message: "the response has more than \(maximum) bytes", bytesSent: true)
  }
}

extension Graph {
  /// Which redirects a transport follows (RFC 9110, section 15.4).
  ///
  /// An operation is repeated unchanged, so only 307 and 308 are followed after a POST: the others
  /// would turn it into a GET without the operation. A request to another origin has no header
  /// field that may contain a credential, and no body unless the origin is in ``operationOrigins``.
  /// Nothing is sent from a secure to an insecure address. A redirect that may not be followed
  /// fails with `redirectRefused`.
  public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects of one request.
    public var maximumCount: Int
    /// Origins to which operations may be sent in addition to the request's own, such as
    /// `https://eu.shop.example`: scheme, host, and the port unless it is the scheme's default. A
    /// path is ignored.
    public var operationOrigins: Set<String>

    /// A policy that follows that many redirects, with operations only to the request's own origin
    /// by default.
    public init(maximumCount: Int, operationOrigins: Set<String> = []) {
      self.maximumCount = maximumCount
      self.operationOrigins = operationOrigins
    }

    /// Five redirects, with operations only to the request's own origin.
    public static let standard = RedirectPolicy(maximumCount: 5)
    /// None: the redirect is returned as the response.
    public static let none = RedirectPolicy(maximumCount: 0)

    /// The request for the redirect in `response`, nil if there is no redirect to follow.
    ///
    /// - Throws: ``Graph/TransportError`` with the code `redirectRefused`.
    public func next(
      after response: HTTPResponse, to request: HTTPRequest
    ) throws(TransportError) -> HTTPRequest? {
      guard maximumCount > 0, follows(response.status, method: request.method),
        let location = response.headers["Location"]
      else { return nil }
      guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
        let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
        url.host != nil
      else { throw refused("the redirect has an invalid URL") }
      if request.url.scheme?.lowercased() == "https", scheme == "http" {
        throw refused("the redirect leads from https to http")
      }
      var next = request
      next.url = url
      if url.origin != request.url.origin {
        guard next.body.isEmpty || mayReceiveOperations(url.origin) else {
          throw refused(
            "the redirect leads to another origin, \(url.origin); the operation is sent there only "
              + "if RedirectPolicy.operationOrigins contains it")
        }
        next.headers = Headers(
          request.headers.fields.filter { Headers.nonsensitive.contains($0.name.lowercased()) })
      }
      return next
    }

    /// The response to `request`, after the redirects that this policy follows.
    ///
    /// - Parameter send: sends one request.
    /// - Throws: ``Graph/TransportError`` with the code `redirectRefused`, or errors of `send`. A
    ///   server that redirects has received the request, so the operation may have been carried out
    ///   even if a later step fails.
    nonisolated(nonsending) func following(
      _ request: HTTPRequest,
      send: nonisolated(nonsending) (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      var request = request
      var count = 0
      while true {
        let response: HTTPResponse
        do {
          response = try await send(request)
        } catch let error as TransportError where count > 0 {
          throw error.afterSending
        }
        guard let next = try next(after: response, to: request) else { return response }
        guard count < maximumCount else { throw refused("more than \(count) redirects") }
        count += 1
        request = next
      }
    }

    private func mayReceiveOperations(_ origin: String) -> Bool {
      operationOrigins.contains { URL(string: $0)?.origin == origin }
    }

    private func follows(_ status: Int, method: HTTPRequest.Method) -> Bool {
      switch status {
      case 307, 308: true
      case 301, 302, 303: method == .get
      default: false
      }
    }

    private func refused(_ message: String) -> TransportError {
      TransportError(.redirectRefused, message: message, bytesSent: true)
    }
  }
}

extension Graph.HTTPRequest.Body {
  fileprivate var isEmpty: Bool { if case .none = self { true } else { false } }
}

extension URL {
  /// Scheme, host and port (RFC 6454, section 4), for comparisons.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
  }
}
