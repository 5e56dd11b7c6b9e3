import GraphJSON

extension GraphQL {
  /// The records of a response to a typed operation, or of an object that is read as a fragment.
  struct RecordsSource: ResponseSource {
    /// The records.
    let json: JSONDocument
    private let original: RecordedText

    init(_ records: JSONDocument, of text: RecordedText) {
      json = records
      original = text
    }

    var recorded: RecordedText? { original }

    func path(to index: Int) -> [ResponsePathElement] { [] }
  }
}

extension GraphQL.ResponseHandle {
  /// The first record of the object, which was checked.
  init(
    recordsOf text: GraphQL.ResponseHandle, _ place: GraphQL.RecordPlace,
    _ fields: GraphQL.CollectedFields, _ context: GraphQL.ResponseContext
  ) {
    guard let schema = text.document.schema else {
      preconditionFailure("a typed operation has a schema")
    }
    let records = GraphQL.RecordFiller.fill(
      text.document.json, text.index, place, fields, in: schema)
    let recorded = GraphQL.RecordedText(text, context)
    self.init(
      document: GraphQL.ResponseDocument(
        GraphQL.RecordsSource(records, of: recorded), schema: schema),
      index: JSONDocument.rootIndex)
  }
}
