#if !canImport(Darwin)
  import CCurl

  extension Graph.TransportError {
    /// The outcome of a libcurl transfer.
    // Safe: the message lives as long as the outcome that contains it, which the caller retains.
    init(_ end: ccurl_end) {
      let text = unsafe String(cString: end.message)
      let (code, meaning) = unsafe Self.meaning(end.status)
      unsafe self.init(
        code, message: text.isEmpty ? meaning : "\(meaning): \(text)",
        underlying: end.status == CCURL_STALE ? StaleConnection() : nil, bytesSent: end.was_sent)
    }

    /// Whether the server had closed the reused connection, before a byte of the response.
    var isStaleConnection: Bool { underlying is StaleConnection }

    private struct StaleConnection: Error {}

    private static func meaning(_ status: ccurl_status) -> (Code, String) {
      switch status {
      case CCURL_INVALID: (.invalidRequest, "the endpoint's URL is invalid")
      case CCURL_UNKNOWN_HOST: (.cannotConnect, "the host's name cannot be resolved")
      case CCURL_CANNOT_CONNECT: (.cannotConnect, "the connection could not be established")
      case CCURL_PROXY: (.cannotConnect, "the proxy refused the connection")
      case CCURL_TLS: (.tls, "the secure connection could not be established")
      case CCURL_CERTIFICATE: (.tls, "the server's certificate was rejected")
      case CCURL_CONNECT_TIMED_OUT: (.timedOut, "the connection could not be established in time")
      case CCURL_TIMED_OUT: (.timedOut, "the request timed out")
      case CCURL_SILENT: (.timedOut, "no bytes were sent or received within the idle timeout")
      case CCURL_CANCELLED: (.cancelled, "the request was cancelled")
      case CCURL_STALE:
        (.connectionLost, "the server had closed the reused connection")
      case CCURL_BAD_RESPONSE: (.invalidResponse, "the response is not HTTP")
      case CCURL_BAD_ENCODING: (.invalidResponse, "the content of the response cannot be decoded")
      case CCURL_HEAD_TOO_LARGE: (.tooLarge, "the head of the response is too large")
      case CCURL_UNREADABLE: (.invalidRequest, "a file to upload cannot be read, or has changed")
      case CCURL_NO_MEMORY: (.unsupported, "there is not enough memory for the request")
      case CCURL_UNSUPPORTED:
        (.unsupported, "libcurl was built without a feature that the configuration requires")
      case CCURL_END: (.connectionLost, "the server closed the connection")
      default: (.connectionLost, "the connection was lost")
      }
    }
  }
#endif
