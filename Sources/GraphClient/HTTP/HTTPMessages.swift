import Foundation

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
