#if !canImport(Darwin)
  import Foundation
  import Loopback

  /// Forwards the first bytes of a client to a port, and that many bytes of the response back; then
  /// it ends the connection.
  struct Relay {
    private let listener: LoopbackListener

    init(to port: UInt16, count: Int, resets: Bool) throws {
      listener = try LoopbackListener { client in
        guard let server = try? LoopbackConnection(to: port) else { return }
        defer { server.close() }
        guard let hello = client.read() else { return }
        server.write(hello)
        var rest = count
        while rest > 0, let bytes = server.read() {
          client.write(Array(bytes.prefix(rest)))
          rest -= min(rest, bytes.count)
        }
        if resets { return client.reset() }
        client.finish()
        client.waitForClose()
      }
    }

    var url: URL {
      guard let url = URL(string: "https://localhost:\(listener.port)/") else {
        preconditionFailure("an address of numbers is one")
      }
      return url
    }
  }
#endif
