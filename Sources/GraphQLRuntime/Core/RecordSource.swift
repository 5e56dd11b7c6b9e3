import GraphJSON

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
