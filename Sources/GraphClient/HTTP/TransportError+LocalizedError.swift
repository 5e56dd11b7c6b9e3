import Foundation
import GraphQLRuntime

extension Graph.TransportError: LocalizedError {
  /// A sentence in English that a user may see. For other languages, choose a text by ``code``.
  public var errorDescription: String? {
    switch code {
    case .cancelled: "The request was cancelled."
    case .timedOut: "The service did not respond in time."
    case .cannotConnect, .connectionLost: "The service cannot be reached."
    case .tls: "A secure connection to the service cannot be made."
    case .tooLarge: "The response of the service is too large."
    case .cannotWriteFile: "A file cannot be written."
    default: "The request failed."
    }
  }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}
