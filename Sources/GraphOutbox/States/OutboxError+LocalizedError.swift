import Foundation
import GraphQLRuntime

extension Graph.OutboxError: LocalizedError {
  /// A sentence in English that a user may see. For other languages, choose a text by ``code``.
  public var errorDescription: String? {
    switch code {
    case .unknownOperation: "The change is no longer waiting."
    case .invalidTransition: "This cannot be done with the change now."
    case .alreadyOpen: "The changes are in use by another part of the app."
    case .closed: "Changes cannot be saved now."
    case .newerSave: "There is a newer change."
    default: "The change is not valid."
    }
  }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}
