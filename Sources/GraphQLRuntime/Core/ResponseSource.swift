import GraphJSON

extension GraphQL {
  /// The origin of a ``ResponseDocument``: it supplies the JSON and what only documents of this
  /// origin have.
  protocol ResponseSource: Sendable {
    /// The text whose values the document's response objects read.
    var json: JSONDocument { get }

    /// The memory of ``json``.
    var tape: JSONTape { get }

    /// The path of the value at `index`.
    func path(to index: Int) -> [ResponsePathElement]

    /// Whether the operation selects `responseName` for the object with that path in `document`. If
    /// the response still has no such field, a directive left it out.
    func selects(
      _ responseName: String, at path: [ResponsePathElement], in document: ResponseDocument
    ) -> Bool

    /// The selections of the operation, and where its root is; nil if there is no operation.
    var selected: (operation: any SelectedFields, root: Int)? { get }

    /// The errors of the response, and which parts have arrived. Paths begin at the operation's root.
    var context: ResponseContext { get }

    /// The position of a record in a buffer of stored records.
    func position(ofRecord ordinal: Int) -> Int

    /// Follows the links to other records; nil if there are no records.
    var links: (any StoredLinks)? { get }

    /// Set while a key path is resolved: see ``FieldPath``.
    var probe: ProbeSource? { get }

    /// Set if the document is another one, read through an alias.
    var view: AliasSource? { get }

    /// The text, if the document consists of records.
    var recorded: RecordedText? { get }
  }
}

// The defaults are those of an object without an operation, a store or an alias.
extension GraphQL.ResponseSource {
  // Safe: the source references the document, whose memory this is.
  var tape: JSONTape { unsafe json.memory }

  func path(to index: Int) -> [GraphQL.ResponsePathElement] {
    json.path(to: index, from: JSONDocument.rootIndex)
  }

  func selects(
    _ responseName: String, at path: [GraphQL.ResponsePathElement],
    in document: GraphQL.ResponseDocument
  ) -> Bool {
    false
  }

  func position(ofRecord ordinal: Int) -> Int {
    preconditionFailure("the document is not a buffer of records")
  }

  var selected: (operation: any GraphQL.SelectedFields, root: Int)? { nil }
  var context: GraphQL.ResponseContext { .complete }
  var links: (any GraphQL.StoredLinks)? { nil }
  var probe: GraphQL.ProbeSource? { nil }
  var view: GraphQL.AliasSource? { nil }
  var recorded: GraphQL.RecordedText? { nil }
}

extension GraphQL {
  /// A response, or an object that was created from fields.
  struct ParsedSource: ResponseSource {
    let json: JSONDocument
    /// The position of `data`'s object, where paths begin.
    let root: Int
    /// The operation of the response; nil for an object created from fields.
    let operation: (any SelectedFields)?
    var context = ResponseContext.complete

    func path(to index: Int) -> [ResponsePathElement] { json.path(to: index, from: root) }

    var selected: (operation: any SelectedFields, root: Int)? { operation.map { ($0, root) } }

    func selects(
      _ responseName: String, at path: [ResponsePathElement], in document: ResponseDocument
    ) -> Bool {
      operation?.selects(responseName, at: path, below: root, in: document) ?? false
    }
  }

  /// The selections of an operation.
  protocol SelectedFields: AnyObject, Sendable {
    /// Whether they contain `responseName` for the object with that path below the object at `root`
    /// in `document`.
    func selects(
      _ responseName: String, at path: [ResponsePathElement], below root: Int,
      in document: ResponseDocument
    ) -> Bool
  }
}

extension GraphQL {
  /// One stored record.
  struct RecordSource: ResponseSource {
    let json: JSONDocument
    let links: (any StoredLinks)?
  }

  /// Stored records in one buffer, which are parsed when one of them is first read.
  struct RecordBufferSource: ResponseSource {
    private let buffer: StoredBuffer
    let links: (any StoredLinks)?

    init(_ buffer: StoredBuffer, links: any StoredLinks) {
      self.buffer = buffer
      self.links = links
    }

    var json: JSONDocument { buffer.withParsed { $0.json } }

    // Safe: the source references the buffer, which keeps the result of parsing alive.
    var tape: JSONTape { unsafe buffer.withParsed { unsafe $0.tape } }

    func path(to index: Int) -> [ResponsePathElement] {
      let record = buffer.withParsed { $0.positions.last { $0 <= index } }
      return json.path(to: index, from: record ?? JSONDocument.rootIndex)
    }

    func position(ofRecord ordinal: Int) -> Int { buffer.withParsed { $0.positions[ordinal] } }
  }
}

extension GraphQL {
  /// Another document, through which `value(_:alias:)` reads the fields of one object.
  struct AliasSource: ResponseSource {
    let alias: String
    /// The document behind the view: an alias applies to one level only.
    let document: ResponseDocument

    var json: JSONDocument { document.json }

    // Safe: the document references its text, whose memory this is.
    var tape: JSONTape { unsafe document.tape }

    func path(to index: Int) -> [ResponsePathElement] { document.path(to: index) }

    func selects(
      _ responseName: String, at path: [ResponsePathElement], in document: ResponseDocument
    ) -> Bool {
      self.document.selects(responseName, at: path)
    }

    func position(ofRecord ordinal: Int) -> Int { document.position(ofRecord: ordinal) }

    var links: (any StoredLinks)? { document.links }
    var probe: ProbeSource? { document.probe }
    var view: AliasSource? { self }
  }
}
