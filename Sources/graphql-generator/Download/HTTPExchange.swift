import CCurlEasy

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
