import GraphJSON
import Synchronization

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

  /// The object of the first record, in the document with the text. The text of a response that was parsed
  /// to records is parsed again when it is first needed: by a store, or to be shown.
  final class RecordedText: Sendable {
    private final class Parsed: Sendable {
      let handle: ResponseHandle

      init(_ handle: ResponseHandle) { self.handle = handle }
    }

    private let made = AtomicLazyReference<Parsed>()
    private let padded: [UInt8]
    private let schema: SchemaTable?
    private let operation: (any SelectedFields)?
    /// The errors of the response.
    let errors: [ResponseError]
    let progress: ResponseProgress

    init(_ handle: ResponseHandle, _ errors: [ResponseError], _ progress: ResponseProgress) {
      padded = []
      schema = nil
      operation = nil
      self.errors = errors
      self.progress = progress
      _ = made.storeIfNil(Parsed(handle))
    }

    /// - Parameter padded: the text of a response with an object `data`, with padding.
    init(
      _ padded: [UInt8], schema: SchemaTable?, operation: any SelectedFields,
      _ errors: [ResponseError], _ progress: ResponseProgress
    ) {
      self.padded = padded
      self.schema = schema
      self.operation = operation
      self.errors = errors
      self.progress = progress
    }

    var handle: ResponseHandle {
      if let made = made.load() { return made.handle }
      guard let json = try? JSONDocument(padded: padded),
        let data = json.member("data", of: JSONDocument.rootIndex)
      else { preconditionFailure("a response that was parsed is not JSON") }
      let document = ResponseDocument(
        ParsedSource(json: json, root: data, operation: operation), schema: schema)
      return made.storeIfNil(Parsed(ResponseHandle(document: document, index: data))).handle
    }

    /// The path of the object that begins at `offset` of the text.
    func path(toObjectAt offset: Int) -> [ResponsePathElement] {
      let json = handle.document.json
      return json.object(atOffset: offset, in: handle.index)
        .map { json.path(to: $0, from: handle.index) } ?? []
    }
  }
}

extension GraphQL.ResponseHandle {
  /// The first record of the object, which was checked.
  init(
    recordsOf text: GraphQL.ResponseHandle, _ place: GraphQL.RecordPlace,
    _ fields: GraphQL.CollectedFields, errors: [GraphQL.ResponseError] = [],
    _ progress: GraphQL.ResponseProgress = .complete
  ) {
    guard let schema = text.document.schema else {
      preconditionFailure("a typed operation has a schema")
    }
    let records = GraphQL.RecordFiller.fill(
      text.document.json, text.index, place, fields, in: schema)
    let recorded = GraphQL.RecordedText(text, errors, progress)
    self.init(
      document: GraphQL.ResponseDocument(
        GraphQL.RecordsSource(records, of: recorded), schema: schema),
      index: JSONDocument.rootIndex)
  }
}
