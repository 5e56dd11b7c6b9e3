import GraphClient

extension Graph {
  /// A command that Valkey has not carried out, or whose outcome is unknown.
  public struct ValkeyError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. The set is open: compare values, and handle unknown ones.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      public let description: String

      /// A code of your own.
      public init(_ name: String) { description = name }

      /// This machine has no hiredis, or it lacks what the configuration requires.
      public static let unsupported = Code("unsupported")
      /// A file of the configuration cannot be used, such as a certificate without its key.
      public static let invalidConfiguration = Code("invalidConfiguration")
      /// There is no connection at the moment. The command was not sent.
      public static let unavailable = Code("unavailable")
      /// The time for the command has passed. The server may have carried it out.
      public static let timedOut = Code("timedOut")
      /// The connection was lost. The server may have carried out the command.
      public static let connectionLost = Code("connectionLost")
      /// The calling task was cancelled. The server may have carried out the command.
      public static let cancelled = Code("cancelled")
      /// Too many commands are in progress. The command was not sent.
      public static let overloaded = Code("overloaded")
      /// The server has refused the command.
      public static let refused = Code("refused")
      /// The server has sent a value of an unexpected kind.
      public static let invalidResponse = Code("invalidResponse")
    }

    /// The kind of failure.
    public let code: Code
    /// For developers; it contains no keys, values or passwords.
    public let message: String

    /// A failure.
    public init(_ code: Code, message: String) {
      self.code = code
      self.message = message
    }

    public var description: String { "\(code): \(message)" }
  }
}
