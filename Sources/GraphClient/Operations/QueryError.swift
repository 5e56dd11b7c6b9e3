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
