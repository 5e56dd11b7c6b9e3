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
