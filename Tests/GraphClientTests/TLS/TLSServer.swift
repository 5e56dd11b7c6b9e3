#if !canImport(Darwin)
  import Foundation
  import GraphQLRuntime
  import Loopback

  /// A server over TLS, which the openssl tool is. It answers GET requests with a page.
  final class TLSServer: Sendable {
    let port: UInt16
    // Used by the initializer, and ended by the deinitializer.
    private let process: Process

    /// - Parameters:
    ///   - certificate: the name of a certificate of the authority.
    ///   - options: what the tool's `s_server` is told beside.
    init(_ authority: TestAuthority, certificate: String, options: [String] = []) throws {
      process = try OpenSSL.process(
        [
          "s_server", "-www", "-accept", "127.0.0.1:0", "-cert", "\(certificate).pem", "-key",
          "\(certificate).key",
        ] + options, in: authority.folder)
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
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
      // The tool writes more, which nothing waits for.
      output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    deinit {
      // Threads of the pool block all other signals, and what they start does too.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    func url(_ host: String = "localhost", scheme: String = "https") -> URL {
      guard let url = URL(string: "\(scheme)://\(host):\(port)/") else {
        preconditionFailure("\(host) is no host")
      }
      return url
    }
  }
#endif
