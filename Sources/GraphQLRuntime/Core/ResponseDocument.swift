import GraphJSON

extension GraphQL {
  /// One response: the parsed text and its operation. Response objects are handles into it.
  // Safe: the tape is memory of the document, or of the records, that this object references.
  @safe final class ResponseDocument: Sendable {
    /// nil for stored records, which are parsed when one of them is first read.
    private let eager: (json: JSONDocument, tape: JSONTape)?
    private let records: StoredBuffer?
    let schema: SchemaTable?
    /// The operation of the response; nil for an object created from fields.
    let operation: OperationContent?
    /// The position of `data`'s object, where paths begin.
    let root: Int
    /// Set in the view through which `value(_:alias:)` reads: the alias for direct reads.
    let alias: String?
    /// The document behind an alias view.
    private let viewed: ResponseDocument?
    /// Whether no object has a key twice, so that the first member of a name is the only one.
    let hasUniqueKeys: Bool
    /// Whether this is a checked response in which no object has a key twice, and which is not read
    /// through an alias. Then fields are found by their names, and nested objects are handles into
    /// this document.
    let isDirect: Bool
    /// Set while a key path is resolved: see ``FieldPath``.
    let probe: ProbeNode?
    /// Set for a stored record: it follows the links to other records.
    let links: (any StoredLinks)?

    init(
      json: JSONDocument, schema: SchemaTable?, operation: OperationContent?, root: Int,
      probe: ProbeNode? = nil, links: (any StoredLinks)? = nil, hasUniqueKeys: Bool = false
    ) {
      unsafe eager = (json, json.memory)
      records = nil
      self.schema = schema
      self.operation = operation
      self.root = root
      self.probe = probe
      self.links = links
      self.hasUniqueKeys = hasUniqueKeys
      isDirect = hasUniqueKeys
      alias = nil
      viewed = nil
    }

    /// The document of stored records, if none of them has to be checked.
    init(records: StoredBuffer, schema: SchemaTable?, links: any StoredLinks) {
      unsafe eager = nil
      self.records = records
      self.schema = schema
      operation = nil
      root = JSONDocument.rootIndex
      probe = nil
      self.links = links
      // The store writes no key twice.
      hasUniqueKeys = true
      isDirect = false
      alias = nil
      viewed = nil
    }

    /// The same document, read through an alias.
    init(_ document: ResponseDocument, alias: String) {
      unsafe eager = document.eager
      records = document.records
      schema = document.schema
      operation = document.operation
      root = document.root
      probe = document.probe
      links = document.links
      hasUniqueKeys = document.hasUniqueKeys
      isDirect = false
      self.alias = alias
      viewed = document
    }

    /// The same document, known to have no key twice.
    var withUniqueKeys: ResponseDocument {
      ResponseDocument(
        json: json, schema: schema, operation: operation, root: root, hasUniqueKeys: true)
    }

    /// The document of the nested objects' handles: an alias applies to one level only.
    var children: ResponseDocument { viewed ?? self }

    var json: JSONDocument {
      if let eager = unsafe eager { return unsafe eager.json }
      return stored.withParsed { $0.json }
    }

    /// The memory of ``json``.
    @inline(__always)
    var tape: JSONTape {
      if let eager = unsafe eager { return unsafe eager.tape }
      return unsafe stored.withParsed { unsafe $0.tape }
    }

    /// The memory of ``json`` if the document ``isDirect``, which requires a text.
    @inline(__always)
    var directTape: JSONTape { unsafe eager.unsafelyUnwrapped.tape }

    private var stored: StoredBuffer {
      guard let records else { preconditionFailure("a document without a text") }
      return records
    }

    /// The position of an object that was returned with its ordinal: see
    /// ``AbstractResponse/index``.
    @inline(never)
    func position(ofRecord place: Int) -> Int { stored.withParsed { $0.positions[~place] } }

    func path(to index: Int) -> [ResponsePathElement] {
      let record = records.flatMap { $0.withParsed { $0.positions.last { $0 <= index } } }
      return json.path(to: index, from: record ?? root)
    }
  }
}
