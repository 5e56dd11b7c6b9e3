#if !canImport(Darwin)
  import Foundation
  import GraphQLRuntime
  import Loopback
  import TestSupport
  import Testing

  /// A server over TLS: the openssl tool.
  final class TLSServer: Sendable {
    let port: UInt16
    private let process: ChildProcess
    private let received = Locked("")

    /// - Parameters:
    ///   - certificate: the name of a certificate of the authority.
    ///   - page: whether GET requests get a page; otherwise ``write(_:)`` sends the response.
    ///   - options: further options of the tool's `s_server`.
    init(
      _ authority: TestAuthority, certificate: String, page: Bool = true, options: [String] = []
    ) throws {
      process = try OpenSSL.start(
        [
          "s_server", "-accept", "127.0.0.1:0", "-cert", "\(certificate).pem", "-key",
          "\(certificate).key",
        ] + (page ? ["-www"] : []) + options, in: authority.folder, input: .pipe, error: .null)
      let output = try #require(process.output)
      var text = ""
      while true {
        let more = output.availableData
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
      // A handler of the file handle would be called without end after the end of the output.
      Thread.detachNewThread { [received] in
        while case let more = output.availableData, !more.isEmpty {
          received.withLock { $0 += String(decoding: more, as: UTF8.self) }
        }
      }
    }

    /// The tool's output, which includes the bytes from clients.
    var output: String { received.withLock { $0 } }

    /// Sends `text` on the connection that is open.
    func write(_ text: String) throws {
      try process.input?.write(contentsOf: Data(text.utf8))
    }

    func url(_ host: String = "localhost", scheme: String = "https") -> URL {
      guard let url = URL(string: "\(scheme)://\(host):\(port)/") else {
        preconditionFailure("\(host) is no host")
      }
      return url
    }
  }
#endif
