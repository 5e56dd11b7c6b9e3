import GraphJSON

/// A record as the writer keeps it: its text, which is parsed when somebody looks into it.
///
/// Most records are only compared with what came for them, or replaced by it, and are never parsed.
final class RecordText {
  private enum Form {
    case text([UInt8])
    case parsed(JSONDocument)
    /// Text that is no JSON object any more.
    case damaged
  }

  private var form: Form

  init(_ text: [UInt8]) { form = .text(text) }

  init(_ json: JSONDocument) { form = .parsed(json) }

  /// nil where the text is damaged.
  var json: JSONDocument? {
    switch form {
    case .parsed(let json): return json
    case .damaged: return nil
    case .text(let text):
      let json = JSONDocument(record: text)
      form = json.map(Form.parsed) ?? .damaged
      return json
    }
  }

  /// Calls `body` with the text, which is valid during the call only; with nothing where it was found
  /// to be damaged.
  // Safe: what has the bytes lends them for the call; nothing is read of no bytes.
  func withBytes<T, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T
  ) throws(E) -> T {
    switch form {
    case .text(let text): try unsafe text.withUnsafeBufferPointer(body)
    case .parsed(let json): try unsafe json.withSource(at: JSONDocument.rootIndex, body)
    case .damaged: try unsafe body(UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  // Safe: both lend their bytes for the call.
  func isSame(as other: RecordText) -> Bool {
    unsafe self === other
      || withBytes { mine in unsafe other.withBytes { unsafe mine.hasSameBytes(as: $0) } }
  }

  /// About the memory that the record takes, parsed or not.
  var size: Int {
    switch form {
    case .text(let text): text.count * 2
    case .parsed(let json): json.memoryFootprint
    case .damaged: 0
    }
  }
}
