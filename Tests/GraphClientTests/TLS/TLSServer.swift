#if !canImport(Darwin)
  import Foundation
  import GraphQLRuntime
  import Loopback
  import TestSupport

  /// A server over TLS: the openssl tool.
  final class TLSServer: Sendable {
    let port: UInt16
    // Used by the initializer, and ended by the deinitializer.
    private let process: Process
    private let input = Pipe()
    private let received = Locked("")

    /// - Parameters:
    ///   - certificate: the name of a certificate of the authority.
    ///   - page: whether GET requests get a page; otherwise ``write(_:)`` sends the response.
    ///   - options: further options of the tool's `s_server`.
    init(
      _ authority: TestAuthority, certificate: String, page: Bool = true, options: [String] = []
    ) throws {
      process = try OpenSSL.process(
        [
          "s_server", "-accept", "127.0.0.1:0", "-cert", "\(certificate).pem", "-key",
          "\(certificate).key",
        ] + (page ? ["-www"] : []) + options, in: authority.folder)
      let output = Pipe()
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.start()
      var text = ""
      while true {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { throw OpenSSL.Failure(description: "s_server: \(text)") }
        text += String(decoding: more, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
        if text.hasSuffix("\n"), let line,
          let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
        {
          self.port = port
          break
        }
      }
      output.fileHandleForReading.readabilityHandler = { [received] in
        let more = String(decoding: $0.availableData, as: UTF8.self)
        received.withLock { $0 += more }
      }
    }

    /// The tool's output, which includes the bytes from clients.
    var output: String { received.withLock { $0 } }

    /// Sends `text` on the connection that is open.
    func write(_ text: String) throws {
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    deinit {
      // Threads of the pool block all other signals, and so do the processes that they start.
      kill(process.processIdentifier, SIGKILL)
      process.waitForEnd()
    }

    func url(_ host: String = "localhost", scheme: String = "https") -> URL {
      guard let url = URL(string: "\(scheme)://\(host):\(port)/") else {
        preconditionFailure("\(host) is no host")
      }
      return url
    }
  }
#endif
