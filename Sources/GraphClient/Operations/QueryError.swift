import Foundation
import GraphQLRuntime

extension Graph {
  /// Why an operation has no response, or only part of one.
  ///
  /// ```swift
  /// let query = Storefront.buildQuery { $0.shop { $0.name() } }
  /// do {
  ///   print(try await client.query(query).requireData().shop.name)
  /// } catch where error.code == .status {
  ///   print(error.response?.status as Any, error.errors)
  /// } catch {
  ///   print(error)
  /// }
  /// ```
  ///
  /// Descriptions contain no variables and no values of header fields, so an error is safe to log.
  /// They do contain text from the server. Two errors are equal if their codes, messages, errors
  /// and responses are.
  public struct QueryError: Error, Sendable {
    /// The class of the error. The set is open: compare values, and handle unknown ones.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The code's name, for logs.
      public let description: String

      /// A code of your own, for errors of your own.
      public init(_ name: String) { description = name }

      /// The request could not be sent, or its response did not arrive. The cause is a
      /// ``TransportError``, or the error of a header provider or an interceptor.
      public static let transport = Code("transport")
      /// The client is not configured to send requests.
      public static let noCredentials = Code("noCredentials")
      /// The server refused the request at the HTTP level. ``QueryError/errors`` has the errors in
      /// its body.
      public static let status = Code("status")
      /// The builder describes no valid operation, so nothing was sent. The cause is a
      /// `GraphQL.InvalidQuery`, and ``QueryError/errors`` has its problems.
      public static let invalidOperation = Code("invalidOperation")
      /// The effect of a mutation on the store is not one that the store can show, or the client has no store, so
      /// nothing was sent. The cause is the store's error.
      public static let invalidChange = Code("invalidChange")
      /// The manifest of trusted documents does not have the operation, so nothing was sent.
      public static let untrustedDocument = Code("untrustedDocument")
      /// The server found the operation invalid, or could not execute parts of it.
      public static let responseErrors = Code("responseErrors")
      /// The response is empty, or has neither data nor errors.
      public static let noData = Code("noData")
      /// The response is not JSON. The cause is the parser's error.
      public static let invalidJSON = Code("invalidJSON")
      /// The response is JSON, but not a GraphQL response.
      public static let malformedResponse = Code("malformedResponse")
      /// The data does not have the types of the schema. The cause is a `GraphQL.SchemaViolation`.
      public static let schemaViolation = Code("schemaViolation")
      /// The operation was cancelled.
      public static let cancelled = Code("cancelled")
      /// The policy allows only the cache, and the cache has no response.
      public static let cacheMiss = Code("cacheMiss")
      /// The response has a status of 2xx, is not a JSON object, and has a media type other than
      /// those of GraphQL over HTTP.
      public static let unexpectedContentType = Code("unexpectedContentType")
      /// The server and the client do not speak the same protocol.
      public static let protocolViolation = Code("protocolViolation")
      /// The server refuses the client's credentials for a web socket, or a login has ended.
      public static let unauthenticated = Code("unauthenticated")
    }

    /// Behind a reference, since every response has space for an error.
    private final class Content: Sendable {
      let code: Code
      let message: String
      let cause: (any Error)?
      let errors: [GraphQL.ResponseError]
      let request: OperationRequest?
      let response: FailedResponse?

      init(
        _ code: Code, _ message: String, _ cause: (any Error)?, _ errors: [GraphQL.ResponseError],
        _ request: OperationRequest?, _ response: FailedResponse?
      ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.errors = errors
        self.request = request
        self.response = response
      }
    }

    private let content: Content

    /// The class of the error.
    public var code: Code { content.code }
    /// A description of the error for developers.
    public var message: String { content.message }
    /// The error that led to this one, if there is one.
    public var cause: (any Error)? { content.cause }
    /// The errors that the server reports, in whatever form they arrived, or the problems of an
    /// invalid operation.
    public var errors: [GraphQL.ResponseError] { content.errors }
    /// The operation that failed, as far as it was prepared; nil if it could not be created. Values
    /// of its header fields may be secrets.
    public var request: OperationRequest? { content.request }
    /// The response, if one arrived that could not be used.
    public var response: FailedResponse? { content.response }

    /// An error, such as one of an interceptor. The client adds the request if there is none.
    public init(
      _ code: Code, message: String, cause: (any Error)? = nil,
      errors: [GraphQL.ResponseError] = [], request: OperationRequest? = nil,
      response: FailedResponse? = nil
    ) {
      content = Content(code, message, cause, errors, request, response)
    }

    /// The cause if it is an error of the transport, or of a call that has timed out. Its
    /// ``TransportError/bytesSent`` states whether the server may have received the operation.
    public var transportError: TransportError? { cause as? TransportError }
  }
}

extension Graph.QueryError: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.code == b.code && a.message == b.message && a.errors == b.errors && a.response == b.response
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}

extension Graph.QueryError: CustomStringConvertible {
  /// Code, message, and the operation's kind and name.
  public var description: String {
    "\(code): \(message)\(request.map { " (\($0))" } ?? "")"
  }
}

extension Graph.QueryError {
  /// Any error as a ``QueryError``.
  ///
  /// - Parameter request: the operation that failed, unless the error has one.
  package init(_ error: any Error, of request: Graph.OperationRequest? = nil) {
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

  package static func responseErrors(
    _ errors: [GraphQL.ResponseError], _ response: Graph.FailedResponse? = nil
  ) -> Graph.QueryError {
    Graph.QueryError(.responseErrors, message: text(errors), errors: errors, response: response)
  }

  /// A response that shows by its status that the server refused the request.
  package static func status(
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

  package static func violation(_ message: String) -> Graph.QueryError {
    Graph.QueryError(.protocolViolation, message: message)
  }

  private static func text(_ errors: [GraphQL.ResponseError]) -> String {
    if errors.isEmpty { return "the server gave no reason" }
    return errors.map(\.description).joined(separator: "; ")
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

extension Graph.QueryError: LocalizedError {
  /// A sentence in English that a user may see. It contains no text from the server. For other languages, choose a
  /// text by ``code``.
  public var errorDescription: String? {
    if isCancelled { return "The request was cancelled." }
    switch code {
    case .transport: return transportError?.errorDescription ?? "The request failed."
    case .noCredentials, .unauthenticated: return "You are not signed in."
    case .status: return statusDescription
    case .responseErrors: return "The service could not carry out the request."
    case .cacheMiss: return "This content is not available offline."
    case .invalidOperation, .untrustedDocument, .invalidChange: return "The request is not valid."
    case .noData, .invalidJSON, .malformedResponse, .schemaViolation, .unexpectedContentType,
      .protocolViolation:
      return "The response of the service cannot be read."
    default: return "The request failed."
    }
  }

  /// ``description``, for developers.
  public var failureReason: String? { description }

  private var statusDescription: String {
    switch response?.status {
    case 401: "You are not signed in."
    case 403: "You do not have access to this content."
    case 429, 503: "The service is busy. Try again later."
    default: "The service could not carry out the request."
    }
  }
}

extension Graph.QueryError {
  /// Whether the operation ended because its task was cancelled. A call throws only `QueryError`, so use this in
  /// place of `catch is CancellationError`.
  public var isCancelled: Bool { code == .cancelled }
}

extension Graph {
  /// The HTTP response to a failed operation. Descriptions do not show its body, as the contents
  /// are unknown.
  public struct FailedResponse: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The maximum part of a body that is kept.
    public static let maximumByteCount = 1 << 16

    /// The HTTP status; nil for one payload of a stream.
    public let status: Int?
    /// The response's header fields; empty for one payload of a stream.
    public let headers: Headers
    /// The body's first bytes, at most ``maximumByteCount``.
    public let bytes: [UInt8]

    /// Status, header fields and the first bytes of a body.
    public init(status: Int?, headers: Headers = [:], bytes: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.bytes = Array(bytes.prefix(Self.maximumByteCount))
    }

    /// The bytes as text; invalid UTF-8 is replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var description: String {
      "\(status.map { "status \($0), " } ?? "")\(bytes.count) bytes, \(headers)"
    }

    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
  }
}
