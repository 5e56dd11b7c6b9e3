import Foundation

// Sentences in English that a user may see, and the descriptions for developers.

extension GraphQL.InvalidQuery: LocalizedError {
  /// A sentence in English that a user may see.
  public var errorDescription: String? { "The request is not valid." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension GraphQL.SchemaViolation: LocalizedError {
  /// A sentence in English that a user may see.
  public var errorDescription: String? { "The data cannot be read." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension GraphQL.FragmentMismatch: LocalizedError {
  /// A sentence in English that a user may see.
  public var errorDescription: String? { "The data cannot be read." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension GraphQL.ResponseError: LocalizedError {
  /// A sentence in English that a user may see. It contains no text from the server: that is ``message``.
  public var errorDescription: String? { "The service could not carry out the request." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}
