#if !canImport(Darwin)
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// The transport over libcurl, which is opened when the first request is sent. It is the
    /// default transport on systems without their own URLSession.
    ///
    /// All requests of one transport share its connections and one thread, which starts with the
    /// first request. HTTP/2 is used over TLS if the server supports it. Proxies are those of the
    /// environment (`http_proxy`, `https_proxy`, `no_proxy`). No cookies are kept. A response with
    /// the content coding gzip, deflate, br or zstd is decoded if libcurl was built with it.
    ///
    /// ``TransportError/bytesSent`` of an error is false only if the server has received nothing of
    /// the request.
    public final class CurlTransport: Transport {
      /// The transport of all clients without their own.
      public static let shared = CurlTransport()

      /// Whether this machine has a recent enough libcurl.
      public static var isAvailable: Bool { CurlLibrary.installed != nil }

      private let library: CurlLibrary?
      private let configuration: CurlConfiguration
      private let startedLoop = Locked<CurlLoop?>(nil)

      /// A transport with its own connections.
      public convenience init(configuration: CurlConfiguration = CurlConfiguration()) {
        self.init(library: .installed, configuration: configuration)
      }

      init(library: CurlLibrary?, configuration: CurlConfiguration) {
        self.library = library
        self.configuration = configuration
      }

      /// The loop, which is started on first use.
      func loop() throws(TransportError) -> CurlLoop {
        guard let library else { throw TransportError.curlIsMissing }
        return try startedLoop.withLock { loop throws(TransportError) in
          if let loop { return loop }
          let started = try CurlLoop(library, configuration)
          loop = started
          return started
        }
      }

      /// Sends `request` and follows its redirects.
      public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.check()
        let deadline = request.timeout.map { ContinuousClock.now + $0 }
        return try await configuration.redirects.following(request) {
          try await sendOnce($0, until: deadline)
        }
      }

      /// Sends the request. If the server had closed the reused connection and the request may be
      /// repeated, it is retried once on a new connection.
      private func sendOnce(
        _ request: HTTPRequest, until deadline: ContinuousClock.Instant?
      ) async throws -> HTTPResponse {
        do {
          return try await attempt(request, until: deadline, needsNewConnection: false)
        } catch let stale as TransportError
          where stale.isStaleConnection && (request.isIdempotent || !stale.bytesSent)
        {
          do {
            return try await attempt(request, until: deadline, needsNewConnection: true)
          } catch let error as TransportError where stale.bytesSent {
            throw error.afterSending
          }
        }
      }

      private func attempt(
        _ request: HTTPRequest, until deadline: ContinuousClock.Instant?, needsNewConnection: Bool
      ) async throws -> HTTPResponse {
        let upload = try await UploadStream(request.body, until: deadline)
        let timeout = deadline.map { ContinuousClock.now.duration(to: $0) }
        if let timeout, timeout <= .zero {
          throw TransportError(.timedOut, message: "the request timed out")
        }
        let transfer = CurlTransfer(
          request, upload: upload, on: try loop(),
          maximumUnreadBytes: configuration.maximumUnreadBytes)
        upload?.whenReadable { [weak transfer] in transfer?.resume() }
        return try await transfer.response(
          timeout: timeout, needsNewConnection: needsNewConnection)
      }
    }
  }
#endif
