extension Graph {
  /// Why the server refused an operation.
  public struct RejectionReason: Sendable, Hashable, CustomStringConvertible {
    /// The server's code, or a short name of the failure such as `http 503`.
    public let code: String?
    /// The message of the server; for a user error, it may be meant for the user.
    public let message: String

    /// A reason; only the message is required.
    public init(code: String? = nil, message: String) {
      self.code = code
      self.message = message
    }

    /// The letters of the code, or of the message if there is no code. Reasons that differ only in case,
    /// numbers, punctuation and quoted names are equal in this form.
    var normalized: String { Self.letters(code ?? Self.withoutQuotes(message)) }

    /// Whether the server is processing the same item and requests a later retry.
    var isTransactionInProgress: Bool {
      [code ?? "", message].contains { Self.letters($0).contains("transactioninprogress") }
    }

    public var description: String { code.map { "\($0): \(message)" } ?? message }

    private static func letters(_ text: String) -> String {
      text.lowercased().filter(\.isLetter)
    }

    /// Quoted parts contain names, which differ between attempts.
    private static func withoutQuotes(_ text: String) -> String {
      var isInside: Character?
      return text.filter { character in
        guard let quote = isInside else {
          if character == "\"" || character == "`" { isInside = character }
          return isInside == nil
        }
        if character == quote { isInside = nil }
        return false
      }
    }
  }
}
