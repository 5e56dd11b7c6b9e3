import GraphJSON

extension GraphQL {
  /// The text that response objects read: they are handles into it.
  ///
  /// The document itself has what every read needs, and its source the rest. A field of a checked
  /// response is read after a test of ``isDirect`` alone.
  // Safe: the tape is memory of the text, which the source references.
  @safe final class ResponseDocument: Sendable {
    let schema: SchemaTable?
    private let source: any ResponseSource
    /// The memory of the text; nil if it is parsed when it is first needed.
    private let parsed: JSONTape?
    /// Whether no object has a key twice, so that the first member of a name is the only one.
    let hasUniqueKeys: Bool
    /// Whether this is a checked response in which no object has a key twice, and which is not read
    /// through an alias. Then fields are found by their names, and nested objects are handles into
    /// this document.
    let isDirect: Bool
    /// Whether this is another document, read through an alias.
    private let isView: Bool

    private init(
      _ source: any ResponseSource, _ parsed: JSONTape?, schema: SchemaTable?,
      hasUniqueKeys: Bool, isDirect: Bool = false, isView: Bool = false
    ) {
      self.source = source
      unsafe self.parsed = unsafe parsed
      self.schema = schema
      self.hasUniqueKeys = hasUniqueKeys
      self.isDirect = isDirect
      self.isView = isView
    }

    /// A document over a text that was parsed.
    convenience init(_ source: some ResponseSource, schema: SchemaTable?) {
      unsafe self.init(source, source.json.memory, schema: schema, hasUniqueKeys: false)
    }

    /// The document of stored records, if none of them has to be checked.
    convenience init(records: StoredBuffer, schema: SchemaTable?, links: any StoredLinks) {
      // The store writes no key twice.
      unsafe self.init(
        RecordBufferSource(records, links: links), nil, schema: schema, hasUniqueKeys: true)
    }

    /// The same document, read through an alias.
    convenience init(_ document: ResponseDocument, alias: String) {
      unsafe self.init(
        AliasSource(alias: alias, document: document), document.parsed, schema: document.schema,
        hasUniqueKeys: document.hasUniqueKeys, isView: true)
    }

    /// The same document, checked and known to have no key twice.
    var withUniqueKeys: ResponseDocument {
      unsafe ResponseDocument(source, parsed, schema: schema, hasUniqueKeys: true, isDirect: true)
    }

    var json: JSONDocument { source.json }

    /// The memory of ``json``.
    @inline(__always)
    var tape: JSONTape {
      if let parsed = unsafe parsed { return unsafe parsed }
      return unsafe source.tape
    }

    /// The memory of ``json`` if the document ``isDirect``, which requires a text.
    @inline(__always)
    var directTape: JSONTape { unsafe parsed.unsafelyUnwrapped }

    /// The alias for direct reads, if the document is read through one.
    var alias: String? { isView ? source.view?.alias : nil }

    /// The document of the nested objects' handles.
    var children: ResponseDocument {
      if isView, let view = source.view { return view.document }
      return self
    }

    /// See ``ResponseSource/recorded``.
    var recorded: RecordedText? { source.recorded }

    /// The object of the first record, in the document with the text, if the document consists of records.
    var text: ResponseHandle? { recorded?.handle }

    var probe: ProbeSource? { isDirect ? nil : source.probe }

    var links: (any StoredLinks)? { isDirect ? nil : source.links }

    /// The position of an object that was returned with its ordinal: see
    /// ``AbstractResponse/index``.
    @inline(never)
    func position(ofRecord ordinal: Int) -> Int { source.position(ofRecord: ordinal) }

    /// See ``ResponseSource/selected``.
    var selected: (operation: any SelectedFields, root: Int)? { source.selected }

    /// See ``ResponseSource/context``.
    var context: ResponseContext { source.context }

    func path(to index: Int) -> [ResponsePathElement] { source.path(to: index) }

    /// Whether the operation selects `responseName` for the object with that path.
    func selects(_ responseName: String, at path: [ResponsePathElement]) -> Bool {
      source.selects(responseName, at: path, in: self)
    }
  }
}

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

extension GraphQL {
  /// Facts about a response in addition to its data.
  package struct ResponseContext: Equatable, Sendable {
    /// A deferred fragment or a streamed list.
    package struct Part: Hashable, Sendable {
      /// The path of the object with the fragment, or of the list.
      package let path: [ResponsePathElement]
      package let label: String?

      package init(_ path: [ResponsePathElement], _ label: String?) {
        self.path = path
        self.label = label
      }
    }

    /// Whether the service will send more.
    package var hasNext = false
    /// The parts that it will send; nil if it does not announce them.
    package var announced: Set<Part>?
    /// The parts that it could not send.
    package var failed: Set<Part> = []
    /// The paths of the values that the last payload has brought; nil if the response did not arrive in parts.
    package var arrived: Set<[ResponsePathElement]>?
    /// The paths of announced lists that are complete since the last payload.
    package var completedLists: Set<[ResponsePathElement]> = []

    package var errors: [ResponseError]

    /// The context of a whole response.
    ///
    /// - Parameter errors: in addition to those in its text.
    package init(errors: [ResponseError] = []) { self.errors = errors }

    package static let complete = ResponseContext()

    func with(_ added: [ResponseError]) -> Self {
      if added.isEmpty { return self }
      var context = self
      context.errors += added
      return context
    }
  }
}

extension GraphQL {
  /// Whether a part of a response with `@defer` or `@stream` has arrived.
  public enum Delivery: Hashable, Sendable {
    /// All of it has arrived.
    case complete
    /// The service may still send it.
    case pending
    /// The service will not send it; with its errors for this part, which may be none.
    ///
    /// Also if it is missing in an object of a store, or in a response that was not streamed.
    case failed([ResponseError])
    /// It is not part of the response: the object is of another type, or a directive leaves it out.
    case excluded
  }
}
