import GraphQLRuntime

extension Graph.QueryError {
  /// Any error as a ``QueryError``.
  ///
  /// - Parameter request: the operation that failed, unless the error has one.
  init(_ error: any Error, of request: Graph.OperationRequest? = nil) {
    switch error {
    case let error as Graph.QueryError: self = error.of(request)
    case is CancellationError:
      self.init(.cancelled, message: Self.cancelled.message, request: request)
    case let error as Graph.TransportError where error.code == .cancelled:
      self.init(.cancelled, message: Self.cancelled.message, cause: error, request: request)
    case let error as GraphQL.InvalidQuery:
      let errors = error.problems.map {
        GraphQL.ResponseError(message: $0.message, path: $0.path.map { .key($0) })
      }
      self.init(
        .invalidOperation, message: Self.text(errors), cause: error, errors: errors,
        request: request)
    default:
      self.init(
        .transport, message: "the request failed: \(error)", cause: error, request: request)
    }
  }

  /// Bytes that are not a response to the operation.
  init(_ failure: GraphQL.ResponseFailure, _ response: Graph.FailedResponse) {
    let (code, cause, errors): (Code, (any Error)?, [GraphQL.ResponseError]) =
      switch failure {
      case .invalidJSON(let error): (.invalidJSON, error, [])
      case .malformed: (.malformedResponse, nil, [])
      case .schemaViolation(let violation, let errors): (.schemaViolation, violation, errors)
      }
    self.init(code, message: "\(failure)", cause: cause, errors: errors, response: response)
  }

  /// The error with a request, unless it has one.
  private func of(_ request: Graph.OperationRequest?) -> Graph.QueryError {
    guard self.request == nil, let request else { return self }
    return Graph.QueryError(
      code, message: message, cause: cause, errors: errors, request: request, response: response)
  }

  package static let cancelled = Graph.QueryError(
    .cancelled, message: "the operation was cancelled")

  static func noData(_ response: Graph.FailedResponse? = nil) -> Graph.QueryError {
    Graph.QueryError(
      .noData,
      message: response == nil
        ? "the response has neither data nor errors" : "the response is empty",
      response: response)
  }

  static func responseErrors(
    _ errors: [GraphQL.ResponseError], _ response: Graph.FailedResponse? = nil
  ) -> Graph.QueryError {
    Graph.QueryError(.responseErrors, message: text(errors), errors: errors, response: response)
  }

  /// A response that shows by its status that the server refused the request.
  static func status(
    _ response: Graph.FailedResponse, errors: [GraphQL.ResponseError] = [],
    cause: (any Error)? = nil
  ) -> Graph.QueryError {
    let status = response.status.map { "HTTP status \($0)" } ?? "no HTTP status"
    return Graph.QueryError(
      .status,
      message: (["the server responded with \(status)"] + errors.map(\.description))
        .joined(separator: "; "),
      cause: cause, errors: errors, response: response)
  }

  static func violation(_ message: String) -> Graph.QueryError {
    Graph.QueryError(.protocolViolation, message: message)
  }

  private static func text(_ errors: [GraphQL.ResponseError]) -> String {
    errors.map(\.description).joined(separator: "; ")
  }

  /// Whether the server could not be reached, or is unable to respond.
  var isOutage: Bool {
    switch code {
    case .transport, .noCredentials, .noData, .invalidJSON, .unexpectedContentType: true
    case .status: response?.status.map { $0 >= 500 || $0 == 429 } ?? false
    default: false
    }
  }
}
