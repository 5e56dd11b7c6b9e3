import CCurlEasy

/// Posts GraphQL requests to a service, and follows its redirects.
struct HTTPClient {
  let endpoint: Endpoint
  let headers: [Header]
  let limits: HTTPLimits
  let progress: (Int) -> Void

  /// Posts a JSON body. A redirect is followed with the same request, and without the header fields
  /// once it leads to another origin: any of them may be a credential. From https to http, none is
  /// followed.
  func post(_ body: [UInt8]) throws(DownloadError) -> HTTPResult {
    var target = endpoint
    var isTrusted = true
    for _ in 0...limits.redirects {
      let result = try HTTPExchange.send(
        request(to: target, body, withHeaders: isTrusted), limits: limits, progress: progress)
      guard let next = try Self.target(of: result, from: target) else { return result }
      isTrusted = isTrusted && next.origin == endpoint.origin
      target = next
    }
    throw .tooManyRedirects
  }

  /// The target of a redirect of `source`; nil for another response.
  static func target(
    of result: HTTPResult, from source: Endpoint
  ) throws(DownloadError) -> Endpoint? {
    switch result.status {
    case 301, 302, 307, 308:
      guard let next = result.location.flatMap(Endpoint.init) else {
        throw .badRedirect(status: result.status)
      }
      guard next.isSecure || !source.isSecure else {
        throw .insecureRedirect(status: result.status)
      }
      return next
    case 300..<400: throw .badRedirect(status: result.status)
    default: return nil
    }
  }

  private func request(to target: Endpoint, _ body: [UInt8], withHeaders: Bool) -> HTTPRequest {
    var headers = [
      Header(name: "Content-Type", value: "application/json"),
      Header(name: "Accept", value: "application/graphql-response+json, application/json;q=0.9"),
    ]
    for header in withHeaders ? self.headers : [] {
      headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
      headers.append(header)
    }
    return HTTPRequest(address: target.address, headers: headers, body: body)
  }
}

/// A POST request, ready to be sent.
struct HTTPRequest {
  let address: String
  let headers: [Header]
  let body: [UInt8]
}

/// A server's response.
struct HTTPResult: Equatable {
  let status: Int
  let contentType: String
  /// The target of a redirect, absolute; nil for other responses.
  let location: String?
  let body: [UInt8]
}

/// One request and its response, over libcurl, which is opened here. If it was linked, it and its
/// thirty libraries would be loaded in every run of the tool. Redirects are returned as responses:
/// only the caller knows which header fields are credentials.
enum HTTPExchange {
  /// The first of the library's names on different systems; nil if there is none. It stays open.
  // Safe: the table of functions never changes once it is created.
  private nonisolated(unsafe) static let library = [
    "libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4", "libcurl.4.dylib",
  ].lazy.compactMap { (name: String) -> ccurl_easy_library? in
    var library = ccurl_easy_library()
    return unsafe ccurl_easy_open(name, &library) ? library : nil
  }.first

  /// Sends a request and waits for the response.
  ///
  /// - Parameter progress: called with the number of received bytes whenever it grows.
  // Safe: the handle is used until the end of this function, and no longer.
  static func send(
    _ request: HTTPRequest, limits: HTTPLimits, progress: @escaping (Int) -> Void
  ) throws(DownloadError) -> HTTPResult {
    guard var library = unsafe library else {
      throw .noConnection(reason: "the library libcurl.so.4 is missing")
    }
    guard let easy = unsafe library.`init`() else {
      throw .noConnection(reason: "libcurl has no memory")
    }
    defer { unsafe library.cleanup(easy) }
    let body = Body(limit: limits.byteCount, progress: progress)
    let code = unsafe perform(request, limits, with: easy, of: &library, to: body)
    guard code == CurlCode.success else {
      if body.isTooLarge { throw .tooLarge(limit: limits.byteCount) }
      if code == CurlCode.timedOut { throw .timeout(seconds: Int(limits.seconds.rounded(.up))) }
      let proxy = unsafe ccurl_easy_number(&library, easy, CInt(CCURL_INFO_PROXY_RESPONSE_CODE))
      throw .noConnection(reason: CurlCode.reason(proxy >= 300 ? CurlCode.proxy : code))
    }
    func text(_ info: Int) -> String? {
      unsafe ccurl_easy_text(&library, easy, CInt(info)).map { unsafe String(cString: $0) }
    }
    return unsafe HTTPResult(
      status: ccurl_easy_number(&library, easy, CInt(CCURL_INFO_RESPONSE_CODE)),
      contentType: text(CCURL_INFO_CONTENT_TYPE) ?? "",
      location: text(CCURL_INFO_REDIRECT_URL), body: body.bytes)
  }

  /// - Returns: libcurl's code for the result.
  // Safe: strings, bytes, the list of header fields and `body` are alive until the transfer ends, which is before the
  // call returns.
  private static func perform(
    _ request: HTTPRequest, _ limits: HTTPLimits, with easy: UnsafeMutableRawPointer,
    of library: inout ccurl_easy_library, to body: Body
  ) -> CInt {
    // libcurl's own timeouts and its handling of SIGPIPE remain enabled: the tool has one thread while it downloads.
    for (option, value) in [
      (CCURL_OPTION_POST, 1), (CCURL_OPTION_HTTP09_ALLOWED, 0),
      (CCURL_OPTION_PROTOCOLS, CCURL_PROTOCOL_HTTP_AND_HTTPS),
      (CCURL_OPTION_TIMEOUT_MS, Int((limits.seconds * 1_000).rounded(.up))),
    ] {
      unsafe ccurl_easy_set_long(&library, easy, CInt(option), value)
    }
    unsafe ccurl_easy_set_write(
      &library, easy,
      { bytes, size, count, context in
        guard let context = unsafe context else { return 0 }
        let body = unsafe Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe body.append(bytes) ? bytes.count : 0
      }, Unmanaged.passUnretained(body).toOpaque())
    var headers: UnsafeMutableRawPointer?
    defer { unsafe library.free_headers(headers) }
    for header in request.headers { unsafe headers = library.append_header(headers, header.line) }
    func set(_ option: Int, _ value: UnsafeRawPointer?) {
      unsafe ccurl_easy_set_pointer(&library, easy, CInt(option), value)
    }
    unsafe set(CCURL_OPTION_HTTPHEADER, headers)
    return withExtendedLifetime(body) {
      unsafe request.address.withCString { address in
        unsafe request.body.withUnsafeBytes { bytes in
          // libcurl copies texts except those of the body. An empty text requests all codings that it can decode.
          unsafe set(CCURL_OPTION_URL, address)
          unsafe "".withCString { unsafe set(CCURL_OPTION_ACCEPT_ENCODING, $0) }
          unsafe ccurl_easy_set_offset(
            &library, easy, CInt(CCURL_OPTION_POSTFIELDSIZE_LARGE), CLongLong(bytes.count))
          // Without a pointer, libcurl would read the body from the standard input.
          unsafe set(CCURL_OPTION_POSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(address))
          return unsafe library.perform(easy)
        }
      }
    }
  }
}

extension HTTPExchange {
  /// The body of a response as it arrives.
  final class Body {
    private(set) var bytes: [UInt8] = []
    /// Whether bytes were refused since they exceed the limit.
    private(set) var isTooLarge = false
    private let limit: Int
    private let progress: (Int) -> Void

    init(limit: Int, progress: @escaping (Int) -> Void) {
      self.limit = limit
      self.progress = progress
    }

    /// Whether the bytes fit; if they do not, nothing more is accepted.
    // Safe: the bytes are valid during the call, which copies them.
    func append(_ more: UnsafeRawBufferPointer) -> Bool {
      isTooLarge = bytes.count + more.count > limit
      if isTooLarge { return false }
      unsafe bytes += more
      progress(bytes.count)
      return true
    }
  }
}

/// Limits on a server's use of this process.
struct HTTPLimits: Equatable, Sendable {
  /// Until a response is complete.
  var seconds = 60.0
  var byteCount = 128 << 20
  var redirects = 5
}

/// libcurl's codes for the results of transfers (libcurl-errors).
enum CurlCode {
  static let success: CInt = 0
  static let timedOut: CInt = 28
  static let proxy: CInt = 97

  /// Why a transfer failed.
  static func reason(_ code: CInt) -> String {
    switch code {
    case 6: "the host name cannot be resolved"
    case 7: "the host does not accept connections"
    case 5, proxy: "the proxy refuses the connection"
    case 60: "the server's certificate is not trusted"
    // The handshake, engines, ciphers, certificates, their authorities and revocation.
    case 35, 53, 54, 58, 59, 64, 66, 77, 80, 82, 83, 90, 91, 98:
      "the secure connection could not be established"
    // The first is for a response without a status line; 43 for a line of a head that is not a field.
    case 1, 8, 43, 61: "the response is not HTTP"
    case 16, 18, 52, 55, 56, 92: "the connection was lost"
    default: "the request failed (code \(code) of libcurl)"
    }
  }
}
