import GraphJSON
import GraphQLRuntime

extension Graph {
  /// One thing that the server, or the check before sending, has against an operation
  /// (specification: 7.1.2 Errors). For developers, not for display.
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let message: String
    /// Places in the document.
    public let locations: [GraphQL.ResponseError.Location]
    /// The field in `data`, or in the selection.
    public let path: [GraphQL.ResponsePathElement]
    /// What the server says beside.
    public let extensions: JSON?

    /// A reason, of which only the message is needed.
    public init(
      message: String, locations: [GraphQL.ResponseError.Location] = [],
      path: [GraphQL.ResponsePathElement] = [], extensions: JSON? = nil
    ) {
      self.message = message
      self.locations = locations
      self.path = path
      self.extensions = extensions
    }

    init(_ error: GraphQL.ResponseError) {
      self.init(
        message: error.message, locations: error.locations, path: error.path,
        extensions: error.extensions)
    }

    /// `extensions.code`, by which servers tell errors apart.
    public var code: String? {
      if case .string(let code)? = extensions?["code"] { code } else { nil }
    }

    public var description: String {
      path.isEmpty ? message : "\(path.map(\.description).joined(separator: ".")): \(message)"
    }
  }
}
