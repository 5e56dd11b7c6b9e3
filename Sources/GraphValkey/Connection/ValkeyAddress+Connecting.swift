import CHiredis
import Foundation
import GraphClient

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
