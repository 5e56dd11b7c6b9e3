import GraphJSON
import Synchronization

extension GraphQL {
  /// The texts of stored records that are handed out together, one after another in one buffer.
  ///
  /// They are parsed when a field of one of them is first read, all in one pass, so that objects that
  /// are only passed on cost no more than their bytes. Whoever appends a text has made sure that it is
  /// the one that was stored.
  package struct StoredRecords {
    /// About how many bytes share a buffer: who keeps one object keeps the buffer.
    private static var bufferSize: Int { 1 << 15 }

    private var full: [StoredBuffer] = []
    private var text: [UInt8] = []
    private var count = 0

    package init() {}

    /// Adds the text of a record.
    ///
    /// - Parameter expected: how many records are likely to come, this one among them.
    package mutating func append(_ record: UnsafeRawBufferPointer, expected: Int = 1) {
      if text.count + record.count > Self.bufferSize, count > 0 { closeBuffer() }
      if count == 0 {
        let size = (record.count + 16) * max(1, min(expected, Self.bufferSize))
        text.reserveCapacity(max(min(size, Self.bufferSize), record.count) + 16)
      }
      text.append(count == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      text.append(contentsOf: record)
      count += 1
    }

    private mutating func closeBuffer() {
      text.append(UInt8(ascii: "]"))
      full.append(StoredBuffer(text, count: count))
      text = []
      count = 0
    }

    /// The object over the first record, whose links `links` follows; nil where there is none.
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

    /// A record's place is the complement of its ordinal: see ``AbstractResponse/index``.
    private static func handle(of ordinal: Int, in document: ResponseDocument) -> ResponseHandle {
      ResponseHandle(document: document, index: ~ordinal)
    }
  }

  /// Records whose texts share a buffer, parsed when they are first needed.
  final class StoredBuffer: Sendable {
    /// What parsing has found.
    final class Parsed: Sendable {
      let json: JSONDocument
      let tape: JSONTape
      /// Where each record is.
      let positions: [Int]

      init(_ json: JSONDocument, positions: [Int]) {
        self.json = json
        tape = json.memory
        self.positions = positions
      }
    }

    let count: Int
    /// A list of the records, and the parser's padding.
    private let text: [UInt8]
    private let known = AtomicLazyReference<Parsed>()

    init(_ text: consuming [UInt8], count: Int) {
      var text = text
      JSONDocument.pad(&text)
      self.text = text
      self.count = count
    }

    /// Of threads that come at the same time one has its result kept.
    var parsed: Parsed { known.load() ?? known.storeIfNil(parse()) }

    private func parse() -> Parsed {
      // The list is one level more than the records were allowed.
      let depth = JSONDocument.defaultMaximumDepth + 1
      if let json = try? JSONDocument(padded: text, maximumDepth: depth),
        let positions = Self.positions(in: json), positions.count == count
      {
        return Parsed(json, positions: positions)
      }
      // Texts that the store has not written: objects without any field.
      var empty = Array("[\(Array(repeating: "{}", count: count).joined(separator: ","))]".utf8)
      JSONDocument.pad(&empty)
      guard let json = try? JSONDocument(padded: empty, maximumDepth: depth),
        let positions = Self.positions(in: json)
      else { preconditionFailure("a list of empty objects is JSON") }
      return Parsed(json, positions: positions)
    }

    private static func positions(in json: JSONDocument) -> [Int]? {
      let tape = json.memory
      var positions: [Int] = []
      positions.reserveCapacity(tape.count(at: JSONDocument.rootIndex))
      var element = tape.firstChild(of: JSONDocument.rootIndex)
      let end = tape.end(of: JSONDocument.rootIndex)
      while element < end {
        guard tape.kind(at: element) == .object else { return nil }
        positions.append(element)
        element = tape.next(after: element)
      }
      return positions
    }
  }
}
