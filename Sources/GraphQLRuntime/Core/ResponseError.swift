import GraphJSON

extension GraphQL {
  /// An entry of `errors` (specification: 7.1.2 Errors), or the same for an operation that was not
  /// sent. It is for developers, not for display.
  public struct ResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A position in the document's text.
    public struct Location: Hashable, Sendable {
      /// From 1.
      public let line: Int
      /// From 1.
      public let column: Int
    }

    /// A description of the error for developers.
    public let message: String
    /// Positions in the document.
    public let locations: [Location]
    /// The field in `data` to which the error belongs.
    public let path: [ResponsePathElement]
    /// Additional information from the server, such as a code.
    public let extensions: JSON?

    /// An error of a field, or of an operation if the path is empty.
    public init(
      message: String, locations: [Location] = [], path: [ResponsePathElement] = [],
      extensions: JSON? = nil
    ) {
      self.message = message
      self.locations = locations
      self.path = path
      self.extensions = extensions
    }

    /// `extensions.code`, by which servers distinguish errors; nil if it is not a string.
    public var code: String? {
      if case .string(let code)? = extensions?["code"] { code } else { nil }
    }

    public var description: String {
      path.isEmpty ? message : "\(path.text): \(message)"
    }
  }
}
