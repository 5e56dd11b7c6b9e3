#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import GraphJSON

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
