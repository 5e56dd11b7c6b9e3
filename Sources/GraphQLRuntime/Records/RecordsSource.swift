import GraphJSON

extension GraphQL {
  /// The records of a response to a typed operation, or of an object that is read as a fragment.
  struct RecordsSource: ResponseSource {
    /// The records.
    let json: JSONDocument
    /// The object of the first record, in the document with the text.
    let text: ResponseHandle?

    func path(to index: Int) -> [ResponsePathElement] { [] }
  }
}

extension GraphQL.ResponseHandle {
  /// The first record of the object, which was checked.
  init(
    recordsOf text: GraphQL.ResponseHandle, _ place: GraphQL.RecordPlace,
    _ fields: GraphQL.CollectedFields
  ) {
    guard let schema = text.document.schema else {
      preconditionFailure("a typed operation has a schema")
    }
    let records = GraphQL.RecordFiller.fill(
      text.document.json, text.index, place, fields, in: schema)
    self.init(
      document: GraphQL.ResponseDocument(
        GraphQL.RecordsSource(json: records, text: text), schema: schema),
      index: JSONDocument.rootIndex)
  }
}
