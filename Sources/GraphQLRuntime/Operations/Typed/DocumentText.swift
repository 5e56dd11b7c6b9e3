import GraphJSON

extension GraphQL {
  /// The text of an operation or a fragment that was generated from a document.
  public struct DocumentText: Sendable {
    let schema: SchemaTable
    let text: StaticString
    let hash: StaticString
    let shape: UInt32
    /// nil if all directives are sent, as in most documents.
    let directives: StaticString?

    /// - Parameters:
    ///   - schema: the types of the generated module.
    ///   - text: as it is sent. It begins with the operation or with the fragment, and their names.
    ///   - hash: the SHA-256 of the text in hexadecimal.
    ///   - shape: the checksum of what the generated structs read.
    ///   - directives: those that are not sent, as JSON: a list with name, path and arguments for each.
    @inlinable
    public init(
      schema: SchemaTable, text: StaticString, hash: StaticString, shape: UInt32,
      directives: StaticString? = nil
    ) {
      self.init(schema, text, hash, shape, directives)
    }

    @usableFromInline
    init(
      _ schema: SchemaTable, _ text: StaticString, _ hash: StaticString, _ shape: UInt32,
      _ directives: StaticString?
    ) {
      self.schema = schema
      self.text = text
      self.hash = hash
      self.shape = shape
      self.directives = directives
    }
  }
}

extension GraphQL.DocumentText {
  /// The text, as it is sent.
  package var sentText: String { "\(text)" }

  /// The name of the operation or fragment.
  package var nameText: String { schema.requestCaches.loaded(self).name }

  /// The type on which the fragment is, or the operation's root type.
  package var typeName: String { GraphQL.FragmentReader(self, variables: .object([:])).typeName }
}

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
    /// itself, and `$name` for a variable. Positions in lists are not part of it.
    public let path: [String]
    /// The values of the arguments, with the defaults of those that are not written. Enum values are strings.
    public let arguments: JSON.Object

    /// Creates a directive, for tests of what reads it.
    public init(name: String, path: [String] = [], arguments: JSON.Object = [:]) {
      self.name = name
      self.path = path
      self.arguments = arguments
    }
  }
}

extension GraphQL.DocumentText {
  /// The directives that are not sent.
  func readDirectives(of name: String) -> [GraphQL.ClientDirective] {
    guard let directives else { return [] }
    guard case .array(let uses)? = try? JSON(parsing: Array(directives.description.utf8)) else {
      preconditionFailure("the directives of \(name) are not JSON; generate the code again")
    }
    return uses.map { use in
      guard case .array(let parts) = use, parts.count == 3, case .string(let directive) = parts[0],
        case .array(let path) = parts[1], case .object(let arguments) = parts[2]
      else { preconditionFailure("a directive of \(name) has no name; generate the code again") }
      return GraphQL.ClientDirective(
        name: directive,
        path: path.compactMap { if case .string(let name) = $0 { name } else { nil } },
        arguments: arguments)
    }
  }
}
