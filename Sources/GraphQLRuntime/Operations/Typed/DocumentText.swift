import GraphJSON

extension GraphQL {
  /// The text of an operation or a fragment that was generated from a document.
  public struct DocumentText: Sendable {
    let schema: SchemaTable
    let name: StaticString
    let text: StaticString
    let hash: StaticString
    let shape: UInt32
    let directives: StaticString

    /// - Parameters:
    ///   - schema: the types of the generated module.
    ///   - name: of the operation or fragment.
    ///   - text: as it is sent.
    ///   - hash: the SHA-256 of the text in hexadecimal.
    ///   - shape: the checksum of what the generated structs read.
    ///   - directives: those that are not sent, as JSON: a list with name, path and arguments for each.
    @inlinable
    public init(
      schema: SchemaTable, name: StaticString, text: StaticString, hash: StaticString,
      shape: UInt32, directives: StaticString
    ) {
      self.init(schema, name, text, hash, shape, directives)
    }

    /// Most documents have no such directives.
    @inlinable
    public init(
      schema: SchemaTable, name: StaticString, text: StaticString, hash: StaticString,
      shape: UInt32
    ) {
      self.init(schema, name, text, hash, shape)
    }

    @usableFromInline
    init(
      _ schema: SchemaTable, _ name: StaticString, _ text: StaticString, _ hash: StaticString,
      _ shape: UInt32, _ directives: StaticString = "[]"
    ) {
      self.schema = schema
      self.name = name
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
  package var nameText: String { "\(name)" }

  /// The type on which the fragment is, or the operation's root type.
  package var typeName: String { GraphQL.FragmentReader(self, variables: .object([:])).typeName }
}
