import CHiredis
import Foundation
import GraphClient

/// An open connection to the server. Only one thread at a time may use it.
// Safe: the pointer is freed only here, and the owner of the stream uses it under a lock.
@safe final class ValkeyStream: @unchecked Sendable {
  private let library: HiredisLibrary
  private let pointer: OpaquePointer

  let descriptor: Int32

  /// A stream that owns the descriptor; nil if there is not enough memory, or TLS cannot be started.
  // Safe: the call copies the texts.
  init?(_ library: HiredisLibrary, _ descriptor: Int32, _ tls: Graph.ValkeyConfiguration.TLS?) {
    let pointer: OpaquePointer?
    if let tls {
      unsafe pointer = unsafe tls.serverName.withCString { name in
        unsafe Self.withCString(tls.authorities?.path) { authorities in
          unsafe Self.withCString(tls.certificate?.path) { certificate in
            unsafe Self.withCString(tls.key?.path) { key in
              var settings = unsafe chiredis_tls(
                server_name: name, authorities: authorities, certificate: certificate, key: key)
              return unsafe chiredis_stream_open(library.functions, descriptor, &settings)
            }
          }
        }
      }
    } else {
      unsafe pointer = chiredis_stream_open(library.functions, descriptor, nil)
    }
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
    self.library = library
    self.descriptor = unsafe chiredis_stream_descriptor(pointer)
  }

  deinit { unsafe chiredis_stream_close(pointer) }

  private static func withCString<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
  }

  /// Adds bytes to those that ``write()`` sends; false if there is not enough memory.
  func append(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return true }
      return unsafe chiredis_stream_append(pointer, start, bytes.count)
    }
  }

  func write() -> chiredis_status { unsafe chiredis_stream_write(pointer) }
  func read() -> chiredis_status { unsafe chiredis_stream_read(pointer) }

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
