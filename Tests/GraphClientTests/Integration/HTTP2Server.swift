#if !canImport(Darwin)
  import Foundation
  import Loopback
  import TestSupport
  import Testing

  /// nginx, which uses HTTP/2 over TLS and forwards requests to a server of the test.
  final class HTTP2Server: Sendable {
    /// The path of the program, which `Tests/run integration` installs.
    static let program = ProcessInfo.processInfo.environment["GRAPH_TEST_NGINX"]
    static let absence: Comment = "needs nginx; run Tests/run integration"

    let authority: TestAuthority
    let folder: TemporaryFolder
    private let port: UInt16
    private let upstream: LoopbackServer
    private let process: ChildProcess

    /// - Parameters:
    ///   - settings: additional lines of nginx's configuration.
    ///   - response: writes the response to a request.
    init(
      _ settings: [String] = [],
      response: @escaping @Sendable (LoopbackServer.Request, LoopbackConnection) -> Void
    ) throws {
      authority = try TestAuthority.shared.get()
      folder = try TemporaryFolder()
      upstream = try LoopbackServer(records: false, response: response)
      port = try LoopbackListener { _ in }.port
      let configuration = folder.file("nginx.conf")
      let certificate = (authority.certificate("good").path, authority.key("good").path)
      try Data(Self.text(settings, port, certificate, upstream.url().port ?? 0).utf8)
        .write(to: configuration)
      process = try ChildProcess(
        URL(filePath: try #require(Self.program)),
        ["-p", folder.url.path, "-e", "error.log", "-c", configuration.path], error: .null)
      while (try? LoopbackConnection(to: port).close()) == nil {
        try #require(process.isRunning, "nginx does not start: \(log)")
        Thread.sleep(forTimeInterval: 0.01)
      }
    }

    func url(_ path: String = "/") -> URL {
      guard let url = URL(string: "https://localhost:\(port)\(path)") else {
        preconditionFailure("\(path) is no path")
      }
      return url
    }

    private var log: String {
      (try? String(contentsOf: folder.file("error.log"), encoding: .utf8)) ?? "no log"
    }

    private static func text(
      _ settings: [String], _ port: UInt16, _ certificate: (file: String, key: String),
      _ upstream: Int
    ) -> String {
      """
      daemon off;
      master_process off;
      pid nginx.pid;
      error_log error.log;
      events { worker_connections 512; }
      http {
        access_log off;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(certificate.file);
          ssl_certificate_key \(certificate.key);
          client_max_body_size 0;
          proxy_buffering off;
          proxy_request_buffering off;
          proxy_http_version 1.1;
          proxy_read_timeout 60s;
          add_header X-Connection $connection always;
          add_header X-Protocol $server_protocol always;
          \(settings.joined(separator: "\n    "))
          location / { proxy_pass http://127.0.0.1:\(upstream); }
        }
      }
      """
    }
  }
#endif
