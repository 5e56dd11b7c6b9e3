import Foundation
import GraphQLRuntime

extension Graph {
  /// An error of the outbox. No message contains a value of the user's data. Two errors are equal if
  /// their codes and messages are.
  public struct OutboxError: Error, Sendable {
    /// The class of the error. The set is open: compare values, and handle unknown ones.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The code's name, for logs.
      public let description: String

      /// A code of your own, for errors of your own.
      public init(_ name: String) { description = name }

      /// No operation with that ID is in the queue.
      public static let unknownOperation = Code("unknownOperation")
      /// The operation is in a state that does not allow the call.
      public static let invalidTransition = Code("invalidTransition")
      /// The variables name a temporary key for which no queued operation creates an object.
      public static let unknownTemporaryKey = Code("unknownTemporaryKey")
      /// The object's type does not allow one-way saves.
      public static let unsupportedOperation = Code("unsupportedOperation")
      /// The object has no key, so its operations could not be kept in order.
      public static let notAnEntity = Code("notAnEntity")
      /// Another outbox uses the store's file, in this process or in another one.
      public static let alreadyOpen = Code("alreadyOpen")
      /// The outbox was closed.
      public static let closed = Code("closed")
      /// The mutation is incomplete (the cause is a `GraphQL.InvalidQuery`), or sends bytes that are
      /// not in a file; or a rejected one cannot be queued again unchanged: its variables are not
      /// those that its document declares, or a file to send has changed.
      public static let invalidMutation = Code("invalidMutation")
      /// A rejected save is not queued again since a newer save of the same object is in the queue.
      public static let newerSave = Code("newerSave")
    }

    /// The class of the error.
    public let code: Code
    /// A description of the error, as a phrase.
    public let message: String
    /// The error that led to this one, if there is one.
    public let cause: (any Error)?

    /// An error, such as one for a test of your own code.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
      self.code = code
      self.message = message
      self.cause = cause
    }

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
      self.init(code, message: message, cause: cause)
    }

    static let noReceipt = OutboxError(
      .unknownOperation, "there is no receipt of a rejected operation with that ID")
    static let newerSave = OutboxError(
      .newerSave,
      "the queue contains a newer save of the same object, which the rejected one would undo: acknowledge the "
        + "receipt, or cancel the newer save first")
    static let closed = OutboxError(.closed, "the outbox is closed; open another one")
  }
}

extension Graph.OutboxError: Hashable {
  public static func == (a: Graph.OutboxError, b: Graph.OutboxError) -> Bool {
    a.code == b.code && a.message == b.message
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}

extension Graph.OutboxError: CustomStringConvertible {
  /// Code and message.
  public var description: String { "\(code): \(message)" }
}

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
