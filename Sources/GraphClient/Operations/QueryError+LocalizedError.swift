import Foundation
import GraphQLRuntime

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
