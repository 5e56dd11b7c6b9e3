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

extension ValkeyValue {
  /// The role of a server in its value for `HELLO`, which is a list of names and values. `ROLE` would require a
  /// permission that users seldom have.
  var role: String? {
    guard let parts = array, let name = parts.firstIndex(where: { $0.text == "role" }),
      name + 1 < parts.endIndex
    else { return nil }
    return parts[name + 1].text
  }

  /// Whether the server has refused a command because it is not, or is no longer, the master of the keys.
  var isRefusalOfMaster: Bool {
    guard let error else { return false }
    return error.hasPrefix("READONLY ") || error.hasPrefix("MASTERDOWN ")
      || error.hasPrefix("MOVED ") || error.hasPrefix("CLUSTERDOWN ")
      // Redis 6 reports the error of a script in this form.
      || error.contains(" -READONLY ")
  }
}

extension Graph.ValkeyError {
  static let isReplica = Graph.ValkeyError(.unavailable, message: "the server is a replica")
  static let isNotMaster = Graph.ValkeyError(
    .connectionLost, message: "the server is not the master of the keys")
  static let hasMoved = Graph.ValkeyError(
    .connectionLost, message: "another connection has found a new master")
}

extension ValkeyValue {
  /// Whether the slot of the command's key is moving to another server of the cluster, which has the key already if it
  /// exists.
  var isRedirection: Bool { error?.hasPrefix("ASK ") == true }

  /// The server to which the slot is moving; nil without a redirection.
  ///
  /// - Parameter server: the server that has sent the value. It may be configured to leave out the host, which is then the
  ///   same.
  func redirection(
    from server: Graph.ValkeyConfiguration.Address?
  ) -> Graph.ValkeyConfiguration.Address? {
    guard isRedirection, let text = error?.split(separator: " ").last,
      let colon = text.lastIndex(of: ":"), let port = Int(text[colon...].dropFirst())
    else { return nil }
    let host = text[..<colon]
    return host.isEmpty || host == "?"
      ? server?.with(port: port) : .host(String(host), port: port)
  }
}
