import GraphJSON
import Synchronization

extension GraphQL {
  /// Records whose texts share a buffer, parsed when they are first needed.
  // Safe: `known` is set once, atomically, to a reference to a Sendable object that this holds.
  @safe final class StoredBuffer: @unchecked Sendable {
    /// What parsing has found.
    @safe final class Parsed: Sendable {
      let json: JSONDocument
      let tape: JSONTape
      /// Where each record is.
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
    /// A reference to what parsing has found, once that was done.
    private let known = unsafe Atomic<UnsafeRawPointer?>(nil)

    init(padded text: [UInt8], count: Int) {
      self.text = text
      self.count = count
    }

    deinit {
      if let known = unsafe known.load(ordering: .acquiring) {
        unsafe Unmanaged<Parsed>.fromOpaque(known).release()
      }
    }

    /// Calls `body` with what parsing has found, without counting a reference, as every field that is
    /// read passes here.
    // Safe: what is published is held until this object ends, which outlives the call.
    @inline(__always)
    func withParsed<T>(_ body: (Parsed) -> T) -> T {
      let parsed = unsafe known.load(ordering: .acquiring) ?? publish()
      return unsafe Unmanaged<Parsed>.fromOpaque(parsed)._withUnsafeGuaranteedRef(body)
    }

    /// Parses the records. Of threads that come at the same time one has its result kept.
    // Safe: a result that is not published is released by who has made it.
    @inline(never)
    private func publish() -> UnsafeRawPointer {
      let mine = unsafe Unmanaged.passRetained(parse())
      let (_, other) = unsafe known.compareExchange(
        expected: nil, desired: UnsafeRawPointer(mine.toOpaque()), ordering: .acquiringAndReleasing)
      guard let other = unsafe other else { return unsafe UnsafeRawPointer(mine.toOpaque()) }
      unsafe mine.release()
      return unsafe other
    }

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
