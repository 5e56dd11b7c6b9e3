import GraphJSON

extension GraphQL {
  /// A directive of a document that is not sent: the configuration names it in `clientDirectives`, and the program
  /// gives it a meaning.
  ///
  /// ```graphql
  /// query Orders @priority(level: 3) { … }
  /// ```
  public struct ClientDirective: Hashable, Sendable {
    /// The name without the at sign.
    public let name: String
    /// The response names from the root to the field, or to the object with the fragment; empty for the operation
    /// itself. Lists have no part in it.
    public let path: [String]
    /// The values of the arguments, with the defaults of those that are not written. Enum values are strings.
    public let arguments: JSON.Object

    /// Creates a directive, for tests of what reads it.
    public init(name: String, path: [String] = [], arguments: JSON.Object = [:]) {
      self.name = name
      self.path = path
      self.arguments = arguments
    }

    /// For generated code.
    ///
    /// - Parameter arguments: the text of a JSON object.
    public init(name: StaticString, path: [StaticString], arguments: StaticString) {
      guard case .object(let object)? = try? JSON(parsing: Array(arguments.description.utf8)) else {
        preconditionFailure("the arguments of @\(name) are not JSON; generate the code again")
      }
      self.init(name: name.description, path: path.map(\.description), arguments: object)
    }
  }
}
