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

    var text: ResponseHandle? { original.handle }

    func path(to index: Int) -> [ResponsePathElement] { [] }
  }

  /// The object of the first record, in the document with the text. The text of a response that was parsed
  /// to records is parsed again when it is first needed: by a store, or to be shown.
  // Safe: all stored properties are constants of Sendable types.
  final class RecordedText: LazyParts, @unchecked Sendable {
    private final class Parsed: Sendable {
      let handle: ResponseHandle

      init(_ handle: ResponseHandle) { self.handle = handle }
    }

    private let padded: [UInt8]
    private let schema: SchemaTable?
    private let operation: (any SelectedFields)?

    init(_ handle: ResponseHandle) {
      padded = []
      schema = nil
      operation = nil
      super.init()
      keep(Parsed(handle), as: .first)
    }

    /// - Parameter padded: the text of a response with an object `data`, with padding.
    init(_ padded: [UInt8], schema: SchemaTable?, operation: any SelectedFields) {
      self.padded = padded
      self.schema = schema
      self.operation = operation
    }

    var handle: ResponseHandle {
      if let made = existing(Part<Parsed>.first) { return made.handle }
      guard let json = try? JSONDocument(padded: padded),
        let data = json.member("data", of: JSONDocument.rootIndex)
      else { preconditionFailure("a response that was parsed is not JSON") }
      let document = ResponseDocument(
        ParsedSource(json: json, root: data, operation: operation), schema: schema)
      return keep(Parsed(ResponseHandle(document: document, index: data)), as: .first).handle
    }
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
        GraphQL.RecordsSource(records, of: GraphQL.RecordedText(text)), schema: schema),
      index: JSONDocument.rootIndex)
  }
}
