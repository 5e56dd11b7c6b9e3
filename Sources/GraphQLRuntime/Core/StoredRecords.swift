import GraphJSON

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
