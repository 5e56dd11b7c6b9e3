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

/// A checksum of a record's bytes and its type's number, which is stored in its row: a record with
/// another one is damaged, or is not the expected one.
///
/// It avoids parsing a record to validate it. Each of its steps is invertible if all others are
/// known, so damage within eight aligned bytes always changes the checksum; other damage is missed
/// with a probability of one in 2^64. It does not protect against intentional changes of the file.
// Safe: a word is loaded only if eight bytes are left, a byte only below the count.
enum RecordChecksum {
  static func of(_ bytes: UnsafeRawBufferPointer, type: Int64) -> Int64 {
    var index = 0
    let count = bytes.count
    // Six at a time, so that none waits for the multiplication of the previous one.
    var (a, b, c) = (UInt64(count), 1 as UInt64, UInt64(bitPattern: type))
    var (d, e, f) = (3 as UInt64, 4 as UInt64, 5 as UInt64)
    while index &+ 48 <= count {
      a = unsafe step(a, word(bytes, index))
      b = unsafe step(b, word(bytes, index &+ 8))
      c = unsafe step(c, word(bytes, index &+ 16))
      d = unsafe step(d, word(bytes, index &+ 24))
      e = unsafe step(e, word(bytes, index &+ 32))
      f = unsafe step(f, word(bytes, index &+ 40))
      index &+= 48
    }
    while index &+ 8 <= count {
      a = unsafe step(a, word(bytes, index))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < count {
      rest = unsafe rest << 8 | UInt64(bytes[index])
      index &+= 1
    }
    // Each word is added to one of the parallel accumulators, and each of these to the checksum.
    let sum = step(step(step(step(step(step(a, rest), b), c), d), e), f)
    return Int64(bitPattern: sum)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  @inline(__always)
  private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let product = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product << 29 | product >> 35
  }
}
