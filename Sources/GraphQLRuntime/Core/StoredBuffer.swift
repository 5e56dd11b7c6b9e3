import GraphJSON

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
