extension GraphQL {
  /// A query that cannot be sent, with all of its problems.
  public struct InvalidQuery: Error, Hashable, Sendable, CustomStringConvertible {
    /// One problem.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
      /// A description of the error, and how to fix it.
      public let message: String
      /// Response names from the root to the selection, in a fragment after `...` and its name;
      /// empty for the operation itself.
      public let path: [String]

      public var description: String {
        path.isEmpty ? message : "\(path.joined(separator: ".")): \(message)"
      }
    }

    /// At least one.
    public let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
  }
}
