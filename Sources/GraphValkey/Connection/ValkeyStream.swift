import CHiredis
import Foundation
import GraphClient

/// An open connection to the server. Only one thread at a time may use it.
// Safe: the pointer is freed only here, and the owner of the stream uses it under a lock.
@safe final class ValkeyStream: @unchecked Sendable {
  private let library: HiredisLibrary
  private let pointer: OpaquePointer

  let descriptor: Int32

  /// A stream that owns the descriptor. It waits for the handshake of TLS, at most for `limit`.
  ///
  /// - Returns: nil if there is not enough memory, or the handshake fails.
  // Safe: the settings are valid during the call.
  init?(
    _ library: HiredisLibrary, _ descriptor: Int32, _ tls: Graph.ValkeyConfiguration.TLS?,
    within limit: Duration
  ) {
    let milliseconds = Int32(clamping: limit.positiveMilliseconds)
    let pointer: OpaquePointer?
    if let tls {
      unsafe pointer = tls.withSettings { settings in
        unsafe chiredis_stream_open(library.functions, descriptor, settings, milliseconds)
      }
    } else {
      unsafe pointer = chiredis_stream_open(library.functions, descriptor, nil, milliseconds)
    }
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
    self.library = library
    self.descriptor = unsafe chiredis_stream_descriptor(pointer)
  }

  deinit { unsafe chiredis_stream_close(pointer) }

  /// Adds bytes to those that ``write()`` sends; false if there is not enough memory.
  func append(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return true }
      return unsafe chiredis_stream_append(pointer, start, bytes.count)
    }
  }

  func write() -> chiredis_status { unsafe chiredis_stream_write(pointer) }

  /// Receives what has arrived.
  func read() -> (status: chiredis_status, count: Int) {
    var count = 0
    let status = unsafe chiredis_stream_read(pointer, &count)
    return (status, count)
  }

  /// The next received value; nil if none is complete.
  ///
  /// - Throws: if the bytes are not the server's protocol.
  func next() throws(Graph.ValkeyError) -> ValkeyValue? {
    var value: UnsafeMutableRawPointer?
    switch unsafe chiredis_stream_next(pointer, &value) {
    case CHIREDIS_DONE:
      guard let value = unsafe value else { return nil }
      defer { unsafe chiredis_value_free(library.functions, value) }
      return unsafe ValkeyValue(value, library)
    case CHIREDIS_LATER: return nil
    default:
      throw Graph.ValkeyError(.invalidResponse, message: "the server's bytes are not RESP")
    }
  }
}
