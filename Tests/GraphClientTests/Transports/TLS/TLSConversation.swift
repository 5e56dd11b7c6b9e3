#if !canImport(Darwin)
  import Foundation
  import TestSupport
  import GraphQLRuntime
  import Loopback

  /// A server over TLS that the test controls, behind a relay that counts the bytes that have
  /// reached the client.
  final class TLSConversation: Sendable {
    private let server: TLSServer
    private let listener: LoopbackListener
    private let delivered: Locked<Int>

    init(_ authority: TestAuthority) throws {
      let server = try TLSServer(authority, certificate: "good", page: false)
      let delivered = Locked(0)
      self.server = server
      self.delivered = delivered
      listener = try LoopbackListener { client in
        guard let connection = try? LoopbackConnection(to: server.port) else { return }
        Thread {
          while let bytes = client.read() { connection.write(bytes) }
          connection.finish()
        }.start()
        while let bytes = connection.read() {
          client.write(bytes)
          delivered.withLock { $0 += bytes.count }
        }
        client.close()
      }
    }

    func url(_ path: String) -> URL {
      guard let url = URL(string: "https://localhost:\(listener.port)\(path)") else {
        preconditionFailure("\(path) is no path")
      }
      return url
    }

    /// Waits until the server has received `text`.
    func receive(_ text: String) async throws { try await wait { server.output.contains(text) } }

    /// Sends `text`, and waits until it has reached the client's machine.
    func send(_ text: String) async throws {
      let before = delivered.withLock { $0 }
      try server.write(text)
      // TLS adds bytes to it.
      try await wait { delivered.withLock { $0 } >= before + text.utf8.count }
    }
  }
#endif
