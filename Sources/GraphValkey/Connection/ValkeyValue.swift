import CHiredis
import GraphClient

/// A value that the server has sent.
enum ValkeyValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case bytes([UInt8])
  case status(String)
  case error(String)
  case array([ValkeyValue])

  /// The text of bytes or a status.
  var text: String? {
    switch self {
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .status(let text): text
    case .null, .integer, .error, .array: nil
    }
  }

  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var array: [ValkeyValue]? { if case .array(let values) = self { values } else { nil } }
  var error: String? { if case .error(let text) = self { text } else { nil } }

  /// The value, unless it is an error.
  func checked() throws(Graph.ValkeyError) -> ValkeyValue {
    guard let error else { return self }
    // The first word is a code; the rest may contain a key.
    let code = error.prefix { $0 != " " }
    throw Graph.ValkeyError(.refused, message: "the server has refused a command: \(code)")
  }
}

extension ValkeyValue {
  /// A copy of a value of hiredis.
  // Safe: the pointers are valid until the value is freed, which the caller does afterwards.
  init(_ value: UnsafeRawPointer, _ library: HiredisLibrary) {
    let read = unsafe chiredis_value_read(library.functions, value)
    let kind = unsafe read.kind
    let bytes = unsafe UnsafeRawBufferPointer(
      start: read.bytes, count: read.bytes == nil ? 0 : read.count)
    switch chiredis_kind(UInt32(bitPattern: kind)) {
    case CHIREDIS_STRING: self = unsafe .bytes([UInt8](bytes))
    case CHIREDIS_STATUS: self = unsafe .status(String(decoding: bytes, as: UTF8.self))
    case CHIREDIS_ERROR: self = unsafe .error(String(decoding: bytes, as: UTF8.self))
    case CHIREDIS_INTEGER: self = unsafe .integer(read.integer)
    case CHIREDIS_ARRAY:
      let elements = unsafe UnsafeBufferPointer(start: read.elements, count: read.element_count)
      self = unsafe .array(
        elements.map { element in
          guard let element = unsafe element else { return .null }
          return unsafe ValkeyValue(element, library)
        })
    default: self = .null
    }
  }
}
