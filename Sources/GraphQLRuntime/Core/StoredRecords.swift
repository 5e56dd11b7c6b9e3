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
