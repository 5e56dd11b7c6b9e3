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

extension GraphQL {
  /// The texts of stored records that are returned together, one after another in one buffer.
  ///
  /// They are parsed in one pass when a field of one of them is first read, so objects that are
  /// only passed on cost no more than their bytes. The caller that appends a text has verified that
  /// it is the stored one.
  package struct StoredRecords {
    /// The approximate number of bytes that share a buffer: keeping one object keeps its buffer.
    private static var bufferSize: Int { 1 << 15 }

    private var full: [StoredBuffer] = []
    private var text: [UInt8] = []
    private var count = 0

    package init() {}

    /// Adds the text of a record.
    ///
    /// - Parameter expected: the expected number of records, including this one.
    // Safe: the caller keeps the bytes valid during the call, which copies them.
    package mutating func append(_ record: UnsafeRawBufferPointer, expected: Int = 1) {
      if text.count + record.count > Self.bufferSize, count > 0 { closeBuffer() }
      if count == 0 {
        let size = record.count + 16
        text.reserveCapacity(size * max(1, min(expected, Self.bufferSize / size)) + 16)
      }
      text.append(count == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      unsafe text.append(contentsOf: record)
      count += 1
    }

    private mutating func closeBuffer() {
      text.append(UInt8(ascii: "]"))
      // Here the bytes have no other owner, so they are not copied.
      JSONDocument.pad(&text)
      full.append(StoredBuffer(padded: text, count: count))
      text = []
      count = 0
    }

    /// The object over the first record, whose links `links` follows; nil if there is none.
    package consuming func object<Object: AbstractResponse>(
      of type: Object.Type, links: any StoredLinks
    ) -> Object? {
      if count > 0 { closeBuffer() }
      guard let buffer = full.first else { return nil }
      return Object(_handle: Self.handle(of: 0, in: Self.document(buffer, type, links)))
    }

    /// The objects over the records, whose links `links` follows.
    package consuming func objects<Object: AbstractResponse>(
      of type: Object.Type, links: any StoredLinks
    ) -> [Object] {
      if count > 0 { closeBuffer() }
      var objects: [Object] = []
      objects.reserveCapacity(full.reduce(0) { $0 + $1.count })
      for buffer in full {
        let document = Self.document(buffer, type, links)
        for ordinal in 0..<buffer.count {
          objects.append(Object(_handle: Self.handle(of: ordinal, in: document)))
        }
      }
      return objects
    }

    private static func document(
      _ buffer: StoredBuffer, _ type: AbstractResponse.Type, _ links: any StoredLinks
    ) -> ResponseDocument {
      ResponseDocument(records: buffer, schema: type.schema, links: links)
    }

    /// A record's position is the complement of its ordinal: see ``AbstractResponse/index``.
    private static func handle(of ordinal: Int, in document: ResponseDocument) -> ResponseHandle {
      ResponseHandle(document: document, index: ~ordinal)
    }
  }
}

extension GraphQL {
  /// Records whose texts share a buffer, parsed when they are first needed.
  // Safe: all stored properties are constants of Sendable types.
  @safe final class StoredBuffer: LazyParts, @unchecked Sendable {
    /// The result of parsing.
    @safe final class Parsed: Sendable {
      let json: JSONDocument
      let tape: JSONTape
      /// The position of each record.
      let positions: [Int]

      init(_ json: JSONDocument, positions: [Int]) {
        self.json = json
        unsafe tape = json.memory
        self.positions = positions
      }
    }

    let count: Int
    /// A list of the records, and the parser's padding.
    private let text: [UInt8]

    init(padded text: [UInt8], count: Int) {
      self.text = text
      self.count = count
    }

    /// Calls `body` with the result of parsing, without retaining a reference, as every read of a
    /// field calls this.
    // Safe: the result is retained until this object ends, which outlives the call.
    @inline(__always)
    func withParsed<T>(_ body: (Parsed) -> T) -> T {
      let parsed = unsafe unmanaged(Part<Parsed>.first) ?? publish()
      return unsafe parsed._withUnsafeGuaranteedRef(body)
    }

    /// Parses the records. If several threads do so concurrently, one result is kept.
    @inline(never)
    private func publish() -> Unmanaged<Parsed> {
      unsafe Unmanaged.passUnretained(keep(parse(), as: .first))
    }

    private func parse() -> Parsed {
      // The list adds one level to the limit of the records.
      let depth = JSONDocument.defaultMaximumDepth + 1
      if let json = try? JSONDocument(padded: text, maximumDepth: depth),
        let positions = Self.positions(in: json), positions.count == count
      {
        return Parsed(json, positions: positions)
      }
      // Texts that the store has not written become objects without fields.
      var empty = Array("[\(Array(repeating: "{}", count: count).joined(separator: ","))]".utf8)
      JSONDocument.pad(&empty)
      guard let json = try? JSONDocument(padded: empty, maximumDepth: depth),
        let positions = Self.positions(in: json)
      else { preconditionFailure("a list of empty objects cannot be parsed") }
      return Parsed(json, positions: positions)
    }

    private static func positions(in json: JSONDocument) -> [Int]? {
      let tape = unsafe json.memory
      var positions: [Int] = []
      unsafe positions.reserveCapacity(tape.count(at: JSONDocument.rootIndex))
      var element = unsafe tape.firstChild(of: JSONDocument.rootIndex)
      let end = unsafe tape.end(of: JSONDocument.rootIndex)
      while element < end {
        guard unsafe tape.kind(at: element) == .object else { return nil }
        positions.append(element)
        element = unsafe tape.next(after: element)
      }
      return positions
    }
  }
}

extension GraphQL {
  /// Follows the links in a stored record: see ``ResponseSource/links``.
  package protocol StoredLinks: AnyObject, Sendable {
    /// The record to which the object at `index` links; nil if that object is not a link.
    func target(of index: Int, in json: JSONDocument) -> JSONDocument?
  }
}

extension GraphQL.ValueReader {
  /// The position to which a link leads, or this position if it is not a link.
  var followed: GraphQL.ValueReader {
    guard let links = document.links, json.kind(at: index) == .object,
      let target = links.target(of: index, in: json)
    else { return self }
    let root = JSONDocument.rootIndex
    return GraphQL.ValueReader(
      document: GraphQL.ResponseDocument(
        GraphQL.RecordSource(json: target, links: links), schema: document.schema),
      index: root)
  }
}

extension GraphQL.ValueReader {
  /// The position to which a link leads; nil if the object there has another type than the class,
  /// which is possible after the field's type has changed.
  func followed(as type: GraphQL.AbstractResponse.Type) -> GraphQL.ValueReader? {
    guard document.links != nil else { return self }
    let target = followed
    guard target.document !== document, let expected = document.schema?.type(of: type),
      let name = target.json.member("__typename", of: target.index)
    else { return target }
    return target.json.kind(at: name) == .string && target.json.string(at: name) == expected.name
      ? target : nil
  }
}

extension GraphQL.ValueReader {
  /// Whether the links at this position lead to objects of the field's type. They may lead to others if
  /// the schema has changed, or the record is damaged.
  func leads(to field: GraphQL.FieldInfo) -> Bool {
    guard document.links != nil, let type = document.schema?.type(of: field), type.kind == .object
    else { return true }
    return leads(to: type)
  }

  /// The recursion is as deep as lists are nested.
  private func leads(to type: GraphQL.TypeInfo) -> Bool {
    switch json.kind(at: index) {
    case .array:
      var element = json.firstChild(of: index)
      while element < json.end(of: index) {
        guard GraphQL.ValueReader(document: document, index: element).leads(to: type) else {
          return false
        }
        element = json.next(after: element)
      }
      return true
    case .object:
      let target = followed
      guard target.document !== document,
        let name = target.json.member("__typename", of: target.index)
      else { return true }
      return target.json.kind(at: name) == .string && target.json.string(at: name) == type.name
    default: return true
    }
  }
}

extension GraphQL.AbstractResponse {
  /// The object over a stored record, whose links `links` follows.
  ///
  /// - Parameter json: a record whose members were checked with `StorageCheck` of GraphStorage.
  package static func _stored(_ json: JSONDocument, links: any GraphQL.StoredLinks) -> Self {
    let root = JSONDocument.rootIndex
    return Self(
      _handle: GraphQL.ResponseHandle(
        document: GraphQL.ResponseDocument(
          GraphQL.RecordSource(json: json, links: links), schema: Self.schema),
        index: root))
  }
}
