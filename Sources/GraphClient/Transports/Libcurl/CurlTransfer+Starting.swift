#if !canImport(Darwin)
  import CCurl
  import Foundation

  extension Graph.CurlTransfer {
    /// Passes the request to the loop, which retains this object until the last event.
    ///
    /// - Returns: nil if memory is exhausted.
    // Safe: the call copies texts and bytes, which are valid during the call. The context is
    // retained here and released by the last event, or here if there will be none.
    func start(timeout: Duration?, needsNewConnection: Bool) -> Handle? {
      let context = unsafe Unmanaged.passRetained(self).toOpaque()
      var events = Self.events
      var request = unsafe ccurl_request()
      unsafe request.is_post = self.request.method == .post
      unsafe request.needs_new_connection = needsNewConnection
      unsafe request.connect_milliseconds = curlMilliseconds(self.request.connectTimeout)
      unsafe request.milliseconds = curlMilliseconds(timeout)
      unsafe request.idle_milliseconds = curlMilliseconds(self.request.idleTimeout)
      let pointer = unsafe self.request.url.absoluteString.withCString { url in
        unsafe headerLines.withCString { headers in
          unsafe bytes.withUnsafeBytes { body -> OpaquePointer? in
            unsafe request.url = url
            unsafe request.headers = headers
            unsafe request.body = body.baseAddress
            unsafe request.body_count = Int64(upload?.byteCount ?? body.count)
            if upload != nil { unsafe request.body = nil }
            return unsafe ccurl_send_request(loop.pointer, &request, &events, context)
          }
        }
      }
      guard let pointer = unsafe pointer else {
        unsafe Unmanaged<Graph.CurlTransfer>.fromOpaque(context).release()
        return nil
      }
      return unsafe Handle(pointer: pointer)
    }

    private var bytes: [UInt8] {
      if case .bytes(let bytes) = request.body { bytes } else { [] }
    }

    /// The fields in libcurl's form. A name without a value suppresses libcurl's own fields:
    /// `Expect`, and the media type of a form.
    private var headerLines: String {
      var text = "Expect:"
      var hasType = false
      var hasAgent = false
      for field in request.headers.fields where !Self.isOwn(field.name) {
        if case .multipart = request.body, Graph.Headers.isSame(field.name, "Content-Type") {
          continue
        }
        text += field.value.isEmpty ? "\n\(field.name);" : "\n\(field.name): \(field.value)"
        hasType = hasType || Graph.Headers.isSame(field.name, "Content-Type")
        hasAgent = hasAgent || Graph.Headers.isSame(field.name, "User-Agent")
      }
      if case .multipart(let form) = request.body {
        text += "\nContent-Type: \(form.contentType)"
      } else if !hasType {
        text += "\nContent-Type:"
      }
      // Some services refuse requests without this field.
      if !hasAgent { text += "\nUser-Agent: Treeswift" }
      return text
    }

    /// Whether a field frames the request, which only libcurl may set: a wrong length would turn
    /// the rest of the body into another request.
    private static func isOwn(_ name: String) -> Bool {
      ["Content-Length", "Transfer-Encoding", "Expect"].contains { Graph.Headers.isSame($0, name) }
    }

    // Safe: the context is this transfer, which the loop retains until the last event, and the
    // bytes are valid during the call.
    private static let events = unsafe ccurl_events(
      on_head: { context, status, head, count in
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: head, count: count))
        return unsafe transfer(context).didReceiveHead(status: Int(status), bytes: bytes)
      },
      on_body: { context, bytes, count in
        unsafe transfer(context).didReceive(UnsafeRawBufferPointer(start: bytes, count: count))
      },
      read_body: { context, bytes, capacity in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: capacity)
        return unsafe transfer(context).upload?.read(into: buffer) ?? Int(CCURL_READ_FAILED)
      },
      on_end: { context, end in
        guard let context = unsafe context, let end = unsafe end?.pointee else { return }
        let transfer = unsafe Unmanaged<Graph.CurlTransfer>.fromOpaque(context).takeRetainedValue()
        transfer.didEnd(
          unsafe end.status == CCURL_OK
            ? .success(()) : unsafe .failure(Graph.TransportError(end)))
      })

    // Safe: the loop passes the context that it received, which it retains until the last event.
    private static func transfer(_ context: UnsafeMutableRawPointer?) -> Graph.CurlTransfer {
      guard let context = unsafe context else {
        preconditionFailure("a transfer has no context")
      }
      return unsafe Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
  }

  /// A limit as libcurl expects it: in milliseconds, where 0 means no limit. Rounded up, so that a short
  /// limit does not become 0 and no limit ends before its time.
  func curlMilliseconds(_ duration: Duration?) -> Int64 {
    guard let duration else { return 0 }
    let (seconds, attoseconds) = duration.components
    guard seconds < Int64(Int32.max) else { return 0 }
    guard seconds >= 0 else { return 1 }
    return max(1, seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
#endif
