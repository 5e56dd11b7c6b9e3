import GraphJSON

extension GraphQL {
  /// One answer: the parsed text and the operation that it answers. Response objects are handles
  /// into it.
  // Safe: it holds the document whose memory the tape is.
  @safe final class ResponseDocument: Sendable {
    let json: JSONDocument
    /// The memory of ``json``.
    let tape: JSONTape
    let schema: SchemaTable?
    /// The operation that this answers; nil for an object made from fields.
    let operation: OperationContent?
    /// The position of `data`'s object, where paths begin.
    let root: Int
    /// Set in the view through which `value(_:alias:)` reads: the alias that direct reads use.
    let alias: String?
    /// The document behind an alias view.
    private let viewed: ResponseDocument?
    /// Whether no object has a key twice, so that the first member of a name is the only one.
    let hasUniqueKeys: Bool
    /// Whether objects below are handles into this very document: in a checked answer, not read through
    /// an alias.
    let makesObjects: Bool
    /// Set while a key path is resolved: see ``FieldPath``.
    let probe: ProbeNode?
    /// Set for a stored record: it follows the links to other records.
    let links: (any StoredLinks)?

    init(
      json: JSONDocument, schema: SchemaTable?, operation: OperationContent?, root: Int,
      probe: ProbeNode? = nil, links: (any StoredLinks)? = nil, hasUniqueKeys: Bool = false
    ) {
      self.json = json
      unsafe tape = json.memory
      self.schema = schema
      self.operation = operation
      self.root = root
      self.probe = probe
      self.links = links
      self.hasUniqueKeys = hasUniqueKeys
      makesObjects = hasUniqueKeys
      alias = nil
      viewed = nil
    }

    /// The same document, read through an alias.
    init(_ document: ResponseDocument, alias: String) {
      json = document.json
      unsafe tape = document.tape
      schema = document.schema
      operation = document.operation
      root = document.root
      probe = document.probe
      links = document.links
      hasUniqueKeys = document.hasUniqueKeys
      makesObjects = false
      self.alias = alias
      viewed = document
    }

    /// The same document, once it is known to have no key twice.
    var withUniqueKeys: ResponseDocument {
      ResponseDocument(
        json: json, schema: schema, operation: operation, root: root, hasUniqueKeys: true)
    }

    /// The document that objects below are handles into: an alias is for one level only.
    var children: ResponseDocument { viewed ?? self }

    func path(to index: Int) -> [ResponsePathElement] { json.path(to: index, from: root) }
  }
}
