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
