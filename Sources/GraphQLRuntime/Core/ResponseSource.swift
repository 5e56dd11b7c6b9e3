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
