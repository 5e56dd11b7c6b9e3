import GraphJSON
import GraphQLRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension JSONDocument {
  /// The record with those bytes; nil if they are not a JSON object.
  // Safe: the caller keeps the bytes valid during the call, which copies them.
  convenience init?(record bytes: UnsafeRawBufferPointer) {
    do {
      try unsafe self.init(parsing: bytes)
    } catch {
      return nil
    }
    guard kind(at: JSONDocument.rootIndex) == .object else { return nil }
  }

  /// The record with the bytes of an array; nil if they are not a JSON object.
  convenience init?(record bytes: [UInt8]) {
    do {
      try self.init(parsing: bytes)
    } catch {
      return nil
    }
    guard kind(at: JSONDocument.rootIndex) == .object else { return nil }
  }

  /// Whether two records have the same bytes.
  // Safe: both documents keep their bytes valid during the call.
  func isSame(as other: JSONDocument) -> Bool {
    guard self !== other else { return true }
    let root = JSONDocument.rootIndex
    return unsafe withSource(at: root) { mine in
      unsafe other.withSource(at: root) { theirs in
        unsafe mine.hasSameBytes(as: theirs)
      }
    }
  }

  /// Whether the document's text equals that of a record.
  // Safe: both keep their bytes valid during the call.
  func isSame(as record: RecordText) -> Bool {
    unsafe withSource(at: JSONDocument.rootIndex) { mine in
      unsafe record.withBytes { unsafe mine.hasSameBytes(as: $0) }
    }
  }
}

extension JSONDocument {
  /// The record with `value` for one member, which is added if it is missing. nil removes the
  /// member.
  func replacing(_ name: [UInt8], with value: [UInt8]?) -> RecordText {
    let root = JSONDocument.rootIndex
    var members = ObjectBuilder(capacity: byteCount + 64)
    var isFound = false
    var key = firstChild(of: root)
    while key < end(of: root) {
      let present = next(after: key)
      if stringEquals(key, name) {
        isFound = true
        if let value { members.append(key: source(at: key), value: value) }
      } else {
        members.append(key: source(at: key), value: source(at: present))
      }
      key = next(after: present)
    }
    if !isFound, let value {
      members.append(name: String(decoding: name, as: UTF8.self), value: value)
    }
    return RecordText(members.finish())
  }
}

extension JSONDocument {
  var text: String { String(decoding: source(at: JSONDocument.rootIndex), as: UTF8.self) }

  /// The record with the fields of another one merged over its own.
  func merging(_ other: JSONDocument) -> JSONDocument {
    let root = JSONDocument.rootIndex
    return JSONDocument(record: ValueMerge(stored: self, incoming: other).object(root, root))
      ?? self
  }
}

// A list that was never received may contain only links that its inverse relation has added. So it may
// be only a part of the server's list. The member `&partial` of the record, which is not the name of a
// field, lists such fields.

extension JSONDocument {
  private static let partialLists = Array("&partial".utf8)

  /// The storage keys of the record's lists that never arrived as a whole.
  var partialLists: [[UInt8]] {
    let place = member(Self.partialLists, of: JSONDocument.rootIndex)
    guard let place, kind(at: place) == .array else { return [] }
    var keys: [[UInt8]] = []
    var element = firstChild(of: place)
    while element < end(of: place) {
      if kind(at: element) == .string { keys.append(Array(string(at: element).utf8)) }
      element = next(after: element)
    }
    return keys
  }

  /// The record with other partial lists.
  func withPartialLists(_ keys: [[UInt8]]) -> RecordText {
    var writer = JSONWriter()
    writer.beginArray()
    for key in keys { writer.string(String(decoding: key, as: UTF8.self)) }
    writer.endArray()
    return replacing(Self.partialLists, with: keys.isEmpty ? nil : writer.finish())
  }
}

extension JSON {
  var integer: Int? {
    if case .number(let number) = self { number.int64.flatMap { Int(exactly: $0) } } else { nil }
  }

  /// A text, compared by its bytes, as servers compare cursors.
  var exact: ExactKey? { if case .string(let text) = self { ExactKey(text) } else { nil } }
  var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}

// Records are composed of parts of other texts, which are JSON already and are copied unchanged. Inlined
// and not copyable, the builders cost no more than the same appends by hand.

/// Builds the text of an object from texts of its members.
struct ObjectBuilder: ~Copyable {
  private var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.count == 1 }

  /// - Parameter capacity: the expected size of the text, in bytes.
  init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
    bytes.append(UInt8(ascii: "{"))
  }

  /// - Parameter key: with its quotation marks.
  @inline(__always)
  mutating func append(key: some Collection<UInt8>, value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: key)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: value)
  }

  /// - Parameter keyWithColon: with its quotation marks.
  @inline(__always)
  mutating func append(keyWithColon: some Collection<UInt8>, value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: keyWithColon)
    bytes.append(contentsOf: value)
  }

  @inline(__always)
  mutating func append(name: String, value: some Collection<UInt8>) {
    separate()
    JSONWriter.appendString(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: value)
  }

  private mutating func separate() {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
  }

  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

/// Builds the text of a list from texts of its elements.
struct ListBuilder: ~Copyable {
  private var bytes: [UInt8] = [UInt8(ascii: "[")]

  @inline(__always)
  mutating func append(_ element: some Collection<UInt8>) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(contentsOf: element)
  }

  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}
