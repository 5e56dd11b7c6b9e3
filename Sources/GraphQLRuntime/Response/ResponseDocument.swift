import GraphJSON

extension GraphQL {
  /// One answer: the parsed text and the operation that it answers. Response objects are handles
  /// into it.
  // Safe: the tape is the memory of the document, or of the records, that this holds.
  @safe final class ResponseDocument: Sendable {
    /// nil for stored records, which are parsed when one of them is first read.
    private let eager: (json: JSONDocument, tape: JSONTape)?
    private let records: StoredBuffer?
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
    /// Whether this is a checked answer in which no object has a key twice, not read through an alias:
    /// fields are found by their names, and objects below are handles into this very document.
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

    /// The document of stored records, which none of them has to be looked at for.
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

    /// The same document, once it is known to have no key twice.
    var withUniqueKeys: ResponseDocument {
      ResponseDocument(
        json: json, schema: schema, operation: operation, root: root, hasUniqueKeys: true)
    }

    /// The document that objects below are handles into: an alias is for one level only.
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

    /// The memory of ``json`` where the document ``isDirect``, which it is not without a text.
    @inline(__always)
    var directTape: JSONTape { unsafe eager.unsafelyUnwrapped.tape }

    private var stored: StoredBuffer {
      guard let records else { preconditionFailure("a document without a text") }
      return records
    }

    /// The position of an object that was handed out by its place: see ``AbstractResponse/index``.
    @inline(never)
    func position(ofRecord place: Int) -> Int { stored.withParsed { $0.positions[~place] } }

    func path(to index: Int) -> [ResponsePathElement] {
      let record = records.flatMap { $0.withParsed { $0.positions.last { $0 <= index } } }
      return json.path(to: index, from: record ?? root)
    }
  }
}
