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

extension Graph.ValkeyConfiguration.Address {
  /// Opens a socket. Blocks the thread, for longer than `limit` if the name of the host cannot be resolved.
  ///
  /// - Returns: a negative number if that has failed.
  // Safe: the texts are valid during the calls, and the message is a constant, which is not read.
  func connect(within limit: Duration) -> Int32 {
    var message: UnsafePointer<CChar>?
    switch self {
    case .host(let name, let port):
      return unsafe chiredis_connect_host(
        name, UInt32(clamping: port), Int32(clamping: limit.positiveMilliseconds), &message)
    case .socket(let url): return unsafe chiredis_connect_path(url.path, &message)
    }
  }
}

/// Commands on a connection that is closed after them. They block the thread.
struct ValkeyDialog: Sendable {
  let library: HiredisLibrary
  let credentials: Graph.ValkeyConfiguration.Credentials?
  let tls: Graph.ValkeyConfiguration.TLS?
  /// The maximum time to connect, and the maximum time to wait for all values.
  let limit: Duration

  /// The values of the commands, after that of the authentication if there is one.
  ///
  /// - Returns: nil if the server does not respond in time.
  /// - Throws: if the server refuses a command, or its bytes are not the protocol.
  func values(
    of commands: ValkeyCommands, at address: Graph.ValkeyConfiguration.Address,
    within shorterLimit: Duration? = nil
  ) throws(Graph.ValkeyError) -> [ValkeyValue]? {
    let limit = shorterLimit ?? limit
    let end = ValkeyClock.now + limit.nanoseconds
    let descriptor = address.connect(within: limit)
    guard descriptor >= 0,
      let stream = ValkeyStream(
        library, descriptor, tls, within: .nanoseconds(max(0, end - ValkeyClock.now)))
    else { return nil }
    var all = ValkeyCommands.authentication(credentials)
    all.append(contentsOf: commands)
    guard stream.append(all.bytes) else { return nil }
    var values: [ValkeyValue] = []
    while values.count < all.count {
      let written = stream.write()
      guard written != CHIREDIS_FAILED,
        wait(for: descriptor, toWrite: written == CHIREDIS_LATER, until: end)
      else { return nil }
      let (status, _) = stream.read()
      while let value = try stream.next() { values.append(try value.checked()) }
      if status == CHIREDIS_FAILED, values.count < all.count { return nil }
    }
    return values
  }

  // Safe: the call writes to the one entry.
  private func wait(for descriptor: Int32, toWrite: Bool, until end: Int64) -> Bool {
    let left = end - ValkeyClock.now
    guard left > 0 else { return false }
    var entry = chiredis_entry(
      descriptor: descriptor, waits_to_read: true, waits_to_write: toWrite, is_ready: false)
    unsafe chiredis_wait(&entry, 1, Int32(clamping: (left + 999_999) / 1_000_000))
    return entry.is_ready
  }
}
