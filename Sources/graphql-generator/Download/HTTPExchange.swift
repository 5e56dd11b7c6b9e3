import CCurl

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
  // Safe: the table of functions is never freed, and never changes once it is created.
  private nonisolated(unsafe) static let library = unsafe [
    "libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4", "libcurl.4.dylib",
  ].lazy.compactMap { (name: String) in unsafe ccurl_open_library(name) }.first

  /// Sends a request and waits for the response.
  ///
  /// - Parameter progress: called with the number of received bytes whenever it grows.
  // Safe: the response is read before `ccurl_clear` frees its texts, which end in a zero byte.
  static func send(
    _ request: HTTPRequest, limits: HTTPLimits, progress: @escaping (Int) -> Void
  ) throws(DownloadError) -> HTTPResult {
    guard let library = unsafe library else {
      throw .noConnection(reason: "the library libcurl.so.4 is missing")
    }
    let body = Body(limit: limits.byteCount, progress: progress)
    var result = unsafe ccurl_response()
    defer { unsafe ccurl_clear(&result) }
    let status = unsafe post(request, limits, over: library, to: body, &result)
    guard status == CCURL_OK else {
      switch status {
      case CCURL_CANCELLED: throw .tooLarge(limit: limits.byteCount)
      case CCURL_TIMED_OUT, CCURL_CONNECT_TIMED_OUT:
        throw .timeout(seconds: Int(limits.seconds.rounded(.up)))
      default: throw .noConnection(reason: reason(status))
      }
    }
    return unsafe HTTPResult(
      status: result.status,
      contentType: result.content_type.map { unsafe String(cString: $0) } ?? "",
      location: unsafe result.location.map { unsafe String(cString: $0) }, body: body.bytes)
  }

  // Safe: the transfer ends before the call returns; strings, bytes and `body` are alive until
  // then.
  private static func post(
    _ request: HTTPRequest, _ limits: HTTPLimits, over library: OpaquePointer, to body: Body,
    _ result: inout ccurl_response
  ) -> ccurl_status {
    var receiver = unsafe ccurl_receiver(
      // The receiver is used only during the call, which keeps the body alive.
      context: Unmanaged.passUnretained(body).toOpaque(),
      receive: { context, bytes, count in
        guard let context = unsafe context else { return false }
        let body = unsafe Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
        return unsafe body.append(UnsafeRawBufferPointer(start: bytes, count: count))
      })
    // One header field per line: no header field contains a line feed.
    let headers = request.headers.map(\.line).joined(separator: "\n")
    return withExtendedLifetime(body) {
      unsafe request.address.withCString { address in
        unsafe headers.withCString { headers in
          unsafe request.body.withUnsafeBytes { bytes in
            var posted = unsafe ccurl_request()
            unsafe posted.is_post = true
            unsafe posted.url = address
            unsafe posted.headers = headers
            unsafe posted.body = bytes.baseAddress
            unsafe posted.body_count = Int64(bytes.count)
            unsafe posted.milliseconds = Int64((limits.seconds * 1_000).rounded(.up))
            return unsafe ccurl_post(library, &posted, &receiver, &result)
          }
        }
      }
    }
  }

  private static func reason(_ status: ccurl_status) -> String {
    switch status {
    case CCURL_UNKNOWN_HOST: "the host name cannot be resolved"
    case CCURL_CANNOT_CONNECT: "the host does not accept connections"
    case CCURL_PROXY: "the proxy refuses the connection"
    case CCURL_CERTIFICATE: "the server's certificate is not trusted"
    case CCURL_TLS: "the secure connection could not be established"
    case CCURL_BAD_RESPONSE, CCURL_BAD_ENCODING: "the response is not HTTP"
    case CCURL_LOST: "the connection was lost"
    default: "the request failed"
    }
  }
}
