import GraphQLRuntime

extension Graph {
  /// Why an operation has no response, or only part of one.
  ///
  /// New kinds of failure become a new ``Failure/Code`` of ``other(_:)``, so that no switch over
  /// the cases breaks.
  public enum QueryError: Error, Sendable {
    /// The request could not be sent, or its response did not arrive: a ``TransportError``, or the
    /// error of an interceptor. nil if the client is not configured to send requests.
    case request(error: (any Error)?)
    /// The server refused at the HTTP level. The body is kept with the status.
    case http(statusCode: Int, body: ErrorBody)
    /// The response is empty, or has neither data nor errors.
    case noData
    /// The response is not JSON.
    case jsonDeserializationFailed(body: ErrorBody)
    /// The response is JSON, but not a GraphQL response, with the reason.
    case invalidJson(problem: String, body: ErrorBody)
    /// The server, or the check before sending, found the operation invalid, or the server could
    /// not execute parts of it.
    case invalidQuery(reasons: [GraphQL.ResponseError])
    /// The data does not have the types of the schema.
    case schemaViolation(violation: GraphQL.SchemaViolation, reasons: [GraphQL.ResponseError])
    /// The operation was cancelled.
    case cancelled
    /// Any other error.
    case other(Failure)
  }

  /// A failure of a kind without its own case.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The set is open: compare values, and handle unknown ones.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      public let description: String

      /// A code of your own, for errors of your own.
      public init(_ name: String) { description = name }

      /// The policy allows only the cache, and the cache has no response.
      public static let cacheMiss = Code("cacheMiss")
      /// The response's media type is not one of GraphQL over HTTP.
      public static let unexpectedContentType = Code("unexpectedContentType")
      /// The server and the client do not speak the same protocol.
      public static let protocolViolation = Code("protocolViolation")
    }

    /// The kind of failure.
    public let code: Code
    /// For developers; it contains no values of the operation.
    public let message: String
    /// The cause, if there is one.
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
  /// Any error as a ``QueryError``.
  init(_ error: any Error) {
    switch error {
    case let error as Graph.QueryError: self = error
    case is CancellationError: self = .cancelled
    case let error as Graph.TransportError where error.code == .cancelled: self = .cancelled
    case let error as GraphQL.InvalidQuery:
      self = .invalidQuery(
        reasons: error.problems.map {
          GraphQL.ResponseError(message: $0.message, path: $0.path.map { .key($0) })
        })
    default: self = .request(error: error)
    }
  }

  /// The server's error messages, in whatever form they arrived.
  public var reasons: [GraphQL.ResponseError] {
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
