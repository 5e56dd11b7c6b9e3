import GraphJSON
import GraphQLRuntime

extension Graph {
  /// An error that the server, or the check before sending, reports for an operation
  /// (specification: 7.1.2 Errors). For developers, not for display.
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    /// A description of the error.
    public let message: String
    /// Positions in the document.
    public let locations: [GraphQL.ResponseError.Location]
    /// The field in `data`, or in the selection.
    public let path: [GraphQL.ResponsePathElement]
    /// Additional information from the server.
    public let extensions: JSON?

    /// A reason; only the message is required.
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

    /// `extensions.code`, by which servers distinguish errors.
    public var code: String? {
      if case .string(let code)? = extensions?["code"] { code } else { nil }
    }

    public var description: String {
      path.isEmpty ? message : "\(path.map(\.description).joined(separator: ".")): \(message)"
    }
  }
}
