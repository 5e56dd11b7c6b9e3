import Foundation

extension Graph {
  /// What a ``Transport`` sends.
  public struct HTTPRequest: Sendable {
    /// The methods that GraphQL over HTTP knows.
    public enum Method: String, Sendable, Hashable {
      case get = "GET"
      case post = "POST"
    }

    /// What a request carries.
    public enum Body: Sendable {
      case none
      case bytes([UInt8])
      /// Parts that are read from disk while they are sent. The transport sets the content type.
      case multipart(MultipartForm)
    }

    /// How the server is asked.
    public var method: Method
    /// An http or https address.
    public var url: URL
    /// Header fields, without those that the transport makes itself.
    public var headers: Headers
    /// What the request carries.
    public var body: Body
    /// The longest time until the whole body has been received; nil is no limit.
    public var timeout: Duration?
    /// The longest time until there is a connection, the secure one included; nil is no limit. The
    /// time that a request waits for one of the connections to its host does not count.
    public var connectTimeout: Duration?
    /// The longest time in which nothing is sent or received once there is a connection; nil is no
    /// limit.
    public var idleTimeout: Duration?
    /// Whether the server's state is the same after two such requests as after one (RFC 9110, section
    /// 9.2.2). A transport may send such a request once more when the connection that it used again
    /// breaks before a byte of the response.
    public var isIdempotent = false
    /// Whether the answer may be a stream without an end in sight. Of one ``timeout`` limits the head
    /// only; an answer that is none (``HTTPResponse/isStream``) is to be complete in it all the same.
    public var allowsStreaming = false
    /// Set where the answer is wanted as a whole: the most bytes that it may have, decoded. A transport
    /// may then return when all of it is there, which saves waking a task for each piece.
    public var wholeAnswerLimit: Int?

    /// A POST unless stated otherwise.
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
