import GraphJSON

/// A record as the writer keeps it: its text, which is parsed when somebody looks into it.
///
/// Most records are only compared with what came for them, or replaced by it, and are never parsed.
// Safe: the memory is made with the object, never changed, and freed with it.
@safe final class RecordText {
  /// An array would be counted for each look at it.
  private let text: UnsafeMutableBufferPointer<UInt8>
  private var parsed: JSONDocument?
  /// Whether the text is no JSON object any more.
  private var isDamaged = false

  /// A copy of a text.
  init(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.text = Self.copy(text) }

  init(_ text: [UInt8]) { unsafe self.text = text.withUnsafeBufferPointer(unsafe Self.copy) }

  init(_ json: JSONDocument) {
    unsafe text = json.withSource(at: JSONDocument.rootIndex, unsafe Self.copy)
    parsed = json
  }

  private static func copy(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> UnsafeMutableBufferPointer<UInt8> {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = unsafe copy.initialize(from: text)
    return unsafe copy
  }

  deinit { unsafe text.deallocate() }

  /// What is left of a record that is not as it was stored.
  static var damaged: RecordText {
    let record = RecordText([])
    record.isDamaged = true
    return record
  }

  /// nil where the text is damaged.
  var json: JSONDocument? {
    if let parsed { return parsed }
    if isDamaged { return nil }
    parsed = unsafe JSONDocument(record: UnsafeRawBufferPointer(text))
    isDamaged = parsed == nil
    return parsed
  }

  /// Calls `body` with the text, which is valid during the call only; with nothing for a record that was
  /// damaged when it was read.
  func withBytes<T, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T
  ) throws(E) -> T {
    try unsafe body(UnsafeBufferPointer(text))
  }

  // Safe: both lend their bytes for the call.
  func isSame(as other: RecordText) -> Bool {
    unsafe self === other
      || UnsafeBufferPointer(text).hasSameBytes(as: UnsafeBufferPointer(other.text))
  }

  /// About the memory that the record takes, parsed or not.
  var size: Int { unsafe parsed.map { unsafe text.count + $0.memoryFootprint } ?? text.count * 2 }
}
