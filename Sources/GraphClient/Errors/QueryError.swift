import GraphQLRuntime

extension Graph {
  /// Why an operation has no answer, or only part of one.
  ///
  /// New kinds of failure come as a new ``Failure/Code`` of ``other(_:)``, so that no switch over
  /// the cases breaks.
  public enum QueryError: Error, Sendable {
    /// The request could not be sent, or its answer did not arrive: a ``TransportError``, or what
    /// an interceptor threw. nil when the client is not configured to send one.
    case request(error: (any Error)?)
    /// The server refused on the level of HTTP. The body is kept beside the status.
    case http(statusCode: Int, body: ErrorBody)
    /// The answer is empty, or has neither data nor errors.
    case noData
    /// The answer is not JSON.
    case jsonDeserializationFailed(body: ErrorBody)
    /// The answer is JSON, but no GraphQL response: what is wrong.
    case invalidJson(problem: String, body: ErrorBody)
    /// The server, or the check before sending, found the operation wrong, or could not answer
    /// parts of it.
    case invalidQuery(reasons: [Reason])
    /// The data is not of the types of the schema.
    case schemaViolation(violation: GraphQL.SchemaViolation, reasons: [Reason])
    /// The operation was cancelled.
    case cancelled
    /// Anything else.
    case other(Failure)
  }

  /// A failure of a kind that has no case of its own.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The set is open: compare, and keep a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      public let description: String

      /// A code of your own, for errors of your own.
      public init(_ name: String) { description = name }

      /// The policy asks for the cache only, and it has no answer.
      public static let cacheMiss = Code("cacheMiss")
      /// The answer's media type is not one that GraphQL over HTTP knows.
      public static let unexpectedContentType = Code("unexpectedContentType")
      /// The server and the client do not understand each other.
      public static let protocolViolation = Code("protocolViolation")
    }

    /// What went wrong, in a word.
    public let code: Code
    /// For developers; it holds no values of the operation.
    public let message: String
    /// The cause, where there is one.
    public let underlying: (any Error)?

    /// A failure with a code, a message and a cause.
    public init(_ code: Code, message: String, underlying: (any Error)? = nil) {
      self.code = code
      self.message = message
      self.underlying = underlying
    }

    public var description: String { "\(code): \(message)" }
  }
}

extension Graph.QueryError {
  /// Any error in the client's terms.
  init(_ error: any Error) {
    switch error {
    case let error as Graph.QueryError: self = error
    case is CancellationError: self = .cancelled
    case let error as Graph.TransportError where error.code == .cancelled: self = .cancelled
    case let error as GraphQL.InvalidQuery:
      self = .invalidQuery(
        reasons: error.problems.map {
          Graph.Reason(message: $0.message, path: $0.path.map(GraphQL.ResponsePathElement.key))
        })
    default: self = .request(error: error)
    }
  }

  /// What the server says is wrong, in whatever form it came.
  public var reasons: [Graph.Reason] {
    switch self {
    case .invalidQuery(let reasons), .schemaViolation(_, let reasons): reasons
    case .http(_, let body): body.reasons
    default: []
    }
  }

  var isCancellation: Bool {
    if case .cancelled = self { true } else { false }
  }
}

extension Graph.QueryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .request(let error?): "the request failed: \(error)"
    case .request(nil): "the client has no key to send requests with"
    case .http(let status, let body):
      (["HTTP status \(status)"] + body.reasons.map(\.description)).joined(separator: "; ")
    case .noData: "the answer is empty"
    case .jsonDeserializationFailed: "the answer is not JSON"
    case .invalidJson(let problem, _): "the answer is no GraphQL response: \(problem)"
    case .invalidQuery(let reasons): reasons.map(\.description).joined(separator: "; ")
    case .schemaViolation(let violation, _): "\(violation)"
    case .cancelled: "the operation was cancelled"
    case .other(let failure): "\(failure)"
    }
  }
}
