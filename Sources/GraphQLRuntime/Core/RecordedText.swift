import GraphJSON

extension GraphQL {
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
    let context: ResponseContext

    init(_ handle: ResponseHandle, _ context: ResponseContext) {
      padded = []
      schema = nil
      operation = nil
      self.context = context
      super.init()
      keep(Parsed(handle), as: .first)
    }

    /// - Parameter padded: the text of a response with an object `data`, with padding.
    init(
      _ padded: [UInt8], schema: SchemaTable?, operation: any SelectedFields,
      _ context: ResponseContext
    ) {
      self.padded = padded
      self.schema = schema
      self.operation = operation
      self.context = context
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

    /// The path of the object that begins at `offset` of the text.
    func path(toObjectAt offset: Int) -> [ResponsePathElement] {
      let json = handle.document.json
      return json.object(atOffset: offset, in: handle.index)
        .map { json.path(to: $0, from: handle.index) } ?? []
    }
  }
}
