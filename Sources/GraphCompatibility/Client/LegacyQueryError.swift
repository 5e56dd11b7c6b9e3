import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// A ``/GraphClient/GraphQLRuntime/Graph/QueryError`` with the cases of the Buy SDK, which completion handlers
  /// get.
  ///
  /// ```swift
  /// let query = Storefront.buildQuery { $0.shop { $0.name() } }
  /// let task = client.queryGraphWith(query) { _, error in
  ///   if case .invalidQuery(let reasons) = error { print(reasons.map(\.message)) }
  /// }
  /// task.resume()
  /// ```
  ///
  /// Descriptions contain no data of a response, so an error is safe to log.
  public enum LegacyQueryError: Error, Sendable {
    /// One of the server's errors, or a problem of a builder.
    public typealias Reason = GraphQL.ResponseError

    /// The request could not be sent, or its response did not arrive: a
    /// ``/GraphClient/GraphQLRuntime/Graph/TransportError``, or the error of an interceptor. nil if the client has
    /// no key to send requests with.
    case request(error: (any Error)?)
    /// The server refused the request at the HTTP level.
    case http(statusCode: Int)
    /// The response is empty, or has neither data nor errors.
    case noData
    /// The response is not JSON: the first 64 KB of its body.
    case jsonDeserializationFailed(data: Data?)
    /// The response is JSON, but not a GraphQL response. nil if it has more than 64 KB.
    case invalidJson(json: JSON?)
    /// The builder describes no valid operation, the server found it invalid, or the server could
    /// not execute parts of it. In the last case there may also be data.
    case invalidQuery(reasons: [Reason])
    /// The data does not have the types of the schema.
    case schemaViolation(violation: GraphQL.SchemaViolation)
    /// The operation was cancelled.
    case cancelled
    /// An error for which the Buy SDK has no case, such as that of a cache without a response.
    case other(QueryError)

    /// The case for an error's code.
    public init(_ error: QueryError) {
      switch error.code {
      case .transport: self = .request(error: error.cause ?? error)
      case .noCredentials: self = .request(error: nil)
      case .status:
        self = error.response?.status.map { .http(statusCode: $0) } ?? .other(error)
      case .noData: self = .noData
      case .invalidJSON:
        self = .jsonDeserializationFailed(data: error.response.map { Data($0.bytes) })
      case .malformedResponse:
        self = .invalidJson(json: error.response.flatMap { try? JSON(parsing: $0.bytes) })
      case .invalidOperation, .responseErrors: self = .invalidQuery(reasons: error.errors)
      case .schemaViolation:
        self =
          (error.cause as? GraphQL.SchemaViolation).map { .schemaViolation(violation: $0) }
          ?? .other(error)
      case .cancelled: self = .cancelled
      default: self = .other(error)
      }
    }
  }
}

extension Graph.LegacyQueryError: CustomStringConvertible, CustomReflectable {
  public var description: String {
    switch self {
    case .request(let error?): "the request failed: \(error)"
    case .request(nil): "the client has no API key"
    case .http(let status): "HTTP status \(status)"
    case .noData: "the response has neither data nor errors"
    case .jsonDeserializationFailed: "the response is not JSON"
    case .invalidJson: "the response is JSON, but not a GraphQL response"
    case .invalidQuery(let reasons): reasons.map(\.description).joined(separator: "; ")
    case .schemaViolation(let violation): "\(violation)"
    case .cancelled: "the operation was cancelled"
    case .other(let error): "\(error)"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}
