/// A GraphQL document: executable definitions, type-system definitions and extensions (section 2.3).
///
/// Documents are compared by their definitions; the source and the ranges are ignored.
public struct Document: Sendable {
  /// The definitions in the order in which they were written.
  public var definitions: [Document.Definition]
  /// The text from which this document was parsed, nil if it was created in code.
  public var source: Source?

  /// Creates a document.
  public init(definitions: [Document.Definition], source: Source? = nil) {
    self.definitions = definitions
    self.source = source
  }

  /// The operations in the order in which they were written.
  public var operations: [OperationDefinition] {
    definitions.compactMap {
      if case .operation(let operation) = $0 { operation } else { nil }
    }
  }

  /// The fragments in the order in which they were written.
  public var fragments: [FragmentDefinition] {
    definitions.compactMap {
      if case .fragment(let fragment) = $0 { fragment } else { nil }
    }
  }
}

extension Sequence<Document> {
  /// The fragments of all documents; the first one of those with the same name.
  package var fragmentsByName: [String: FragmentDefinition] {
    Dictionary(
      flatMap(\.fragments).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Document: Equatable {
  public static func == (lhs: Document, rhs: Document) -> Bool {
    lhs.definitions == rhs.definitions
  }

  /// One definition of a document (section 2.3).
  ///
  /// An extension is represented as a definition of the same kind that only lists the additions; its
  /// description is always nil.
  public indirect enum Definition: Sendable, Equatable {
    case operation(OperationDefinition)
    case fragment(FragmentDefinition)
    case schema(SchemaDefinition)
    case type(NamedType)
    case directive(DirectiveDefinition)
    case schemaExtension(SchemaDefinition)
    case typeExtension(NamedType)
    /// Directives that are added to a directive definition; it has no locations.
    case directiveExtension(DirectiveDefinition)

    /// The whole definition, from its description to its last token.
    public var range: SourceRange {
      switch self {
      case .operation(let operation): operation.range
      case .fragment(let fragment): fragment.range
      case .schema(let schema), .schemaExtension(let schema): schema.range
      case .type(let type), .typeExtension(let type): type.range
      case .directive(let directive), .directiveExtension(let directive): directive.range
      }
    }
  }
}
