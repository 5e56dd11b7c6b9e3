import GraphJSON

/// A record as the writer keeps it: its text, which is parsed on first use.
///
/// Most records are only compared with new ones, or replaced by them, and are never parsed.
// Safe: the text follows the header, has the header's count of bytes, and never changes.
@safe struct RecordText {
  private struct Header {
    let count: Int
    var parsed: JSONDocument?
    /// Whether the text is no longer a JSON object.
    var isDamaged = false
  }

  /// Allocates header and text together, since there is a text for every written entity.
  private let storage: ManagedBuffer<Header, UInt8>

  /// A copy of a text.
  init(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.init(text, parsed: nil) }

  init(_ text: [UInt8]) {
    self = unsafe text.withUnsafeBufferPointer { unsafe RecordText($0) }
  }

  init(_ json: JSONDocument) {
    self = unsafe json.withSource(at: JSONDocument.rootIndex) {
      unsafe RecordText($0, parsed: json)
    }
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, parsed: JSONDocument?) {
    storage = .create(minimumCapacity: text.count) { _ in
      Header(count: text.count, parsed: parsed)
    }
    guard let start = text.baseAddress else { return }
    unsafe storage.withUnsafeMutablePointerToElements {
      unsafe $0.initialize(from: start, count: text.count)
    }
  }

  /// The value for a record that differs from the stored one.
  static var damaged: RecordText {
    let record = RecordText([])
    record.storage.header.isDamaged = true
    return record
  }

  /// nil if the text is damaged.
  var json: JSONDocument? {
    if let parsed = storage.header.parsed { return parsed }
    if storage.header.isDamaged { return nil }
    let parsed = unsafe withBytes { unsafe JSONDocument(record: UnsafeRawBufferPointer($0)) }
    storage.header.parsed = parsed
    storage.header.isDamaged = parsed == nil
    return parsed
  }

  /// Calls `body` with the text, which is valid only during the call; without bytes for a record
  /// that was damaged when it was read.
  @inline(__always)
  func withBytes<T, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T
  ) throws(E) -> T {
    try unsafe storage.withUnsafeMutablePointers { header, text throws(E) in
      try unsafe body(UnsafeBufferPointer(start: text, count: header.pointee.count))
    }
  }

  // Safe: both keep their bytes valid during the call.
  func isSame(as other: RecordText) -> Bool {
    unsafe storage === other.storage
      || withBytes { mine in
        unsafe other.withBytes { theirs in unsafe mine.hasSameBytes(as: theirs) }
      }
  }

  /// The approximate memory of the record, parsed or not.
  var size: Int {
    storage.header.parsed.map { storage.header.count + $0.memoryFootprint }
      ?? storage.header.count * 2
  }
}
