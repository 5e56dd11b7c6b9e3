#if !canImport(Darwin)
  import CCurl
  import GraphQLRuntime

  // Safe: the connection is closed at the end of `drive`, whose thread alone uses it; see `Waker`.
  extension Graph.CurlSocket {
    /// The thread: connects, moves bytes until the socket has ended, and closes the connection.
    func drive() {
      guard let connection = unsafe ccurl_make(library.functions) else {
        finish(
          Graph.TransportError(
            .cannotConnect, message: "no file descriptor or memory is left for a web socket"))
        return
      }
      defer {
        state.withLock { $0.waker = nil }
        unsafe ccurl_close(connection)
      }
      let waker = unsafe Waker(connection: connection)
      let isAborted = state.withLock { state in
        state.waker = waker
        return state.isAborted
      }
      guard !isAborted else { return }
      do throws(Graph.TransportError) {
        try unsafe check(
          ccurl_connect(connection, origin, authorities), connection, bytesSent: false)
        try unsafe exchange(over: connection)
      } catch {
        finish(error)
      }
    }

    private func exchange(over connection: OpaquePointer) throws(Graph.TransportError) {
      var outgoing = Outgoing()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        try unsafe flush(&outgoing, over: connection)
        let next = state.withLock { $0.nextStep(maximumUnreadBytes: maximumUnreadBytes) }
        guard !next.stops else { return }
        var count = 0
        let status =
          unsafe next.reads
          ? buffer.withUnsafeMutableBytes {
            unsafe ccurl_receive(connection, $0.baseAddress, $0.count, &count)
          } : CCURL_AGAIN
        if status == CCURL_AGAIN {
          let writes = !outgoing.isEmpty
          unsafe ccurl_wait(connection, next.reads, writes, next.milliseconds)
        } else {
          try unsafe check(status, connection, bytesSent: true)
          do {
            try handle(Array(buffer[..<count]))
          } catch {
            // The close frame that says what is wrong; it may well not get through.
            try? unsafe flush(&outgoing, over: connection)
            throw error
          }
        }
      }
    }

    /// Sends what there is until the connection takes no more.
    private func flush(
      _ outgoing: inout Outgoing, over connection: OpaquePointer
    ) throws(Graph.TransportError) {
      while true {
        if outgoing.isEmpty {
          guard let bytes = state.withLock({ $0.core.takeOutput() }) else { return }
          outgoing = Outgoing(bytes: bytes)
        }
        var sent = 0
        // After `CCURL_AGAIN` TLS wants the same bytes at the same place: the array is not touched.
        let status = unsafe outgoing.bytes.withUnsafeBytes { bytes in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[outgoing.sent...])
          return unsafe ccurl_send(connection, rest.baseAddress, rest.count, &sent)
        }
        if status == CCURL_AGAIN { return }
        try unsafe check(status, connection, bytesSent: true)
        outgoing.sent += sent
      }
    }

    private func handle(_ bytes: [UInt8]) throws(Graph.TransportError) {
      let (opening, received, failure) = state.withLock { state in
        var opening: CheckedContinuation<Void, any Error>?
        let (events, failure) = state.core.receive(bytes)
        for event in events {
          switch event {
          case .opened:
            state.isOpen = true
            opening = state.opening.take()
          case .message(let message) where state.end == nil: state.append(message)
          case .closed(let closure) where state.end == nil: state.end = .closed(closure)
          case .message, .closed: break
          }
        }
        return (opening, state.takeReception(), failure)
      }
      opening?.resume()
      if let received { received.receiver.resume(with: received.result) }
      if let failure { throw failure }
    }

    private func check(
      _ status: ccurl_status, _ connection: OpaquePointer, bytesSent: Bool
    ) throws(Graph.TransportError) {
      guard status != CCURL_OK else { return }
      let message = unsafe status == CCURL_END ? "" : String(cString: ccurl_message(connection))
      throw Graph.TransportError(status, message: message, bytesSent: bytesSent)
    }

    private func finish(_ error: Graph.TransportError) {
      let (opening, receiver) = state.withLock { state in
        if state.end == nil { state.end = error }
        return (state.opening.take(), state.receiver.take())
      }
      opening?.resume(throwing: error)
      receiver?.resume(throwing: error)
    }
  }

  /// Bytes on their way, and how many of them have been sent.
  private struct Outgoing {
    var bytes: [UInt8] = []
    var sent = 0

    var isEmpty: Bool { sent == bytes.count }
  }

  extension Graph.CurlSocket.State {
    fileprivate struct Step {
      var stops = false
      var reads = true
      /// The longest that may be waited, -1 for ever.
      var milliseconds: Int32 = -1
    }

    fileprivate func nextStep(maximumUnreadBytes: Int) -> Step {
      if isAborted || core.isClosed { return Step(stops: true) }
      guard let closingDeadline else {
        return Step(reads: unreadByteCount < maximumUnreadBytes)
      }
      let rest = ContinuousClock.now.duration(to: closingDeadline)
      guard rest > .zero else { return Step(stops: true) }
      return Step(milliseconds: Int32(rest / .milliseconds(1)) + 1)
    }

    /// Whoever waits, and what for.
    fileprivate mutating func takeReception() -> (
      receiver: CheckedContinuation<Graph.WebSocketMessage, any Error>,
      result: Result<Graph.WebSocketMessage, any Error>
    )? {
      guard let waiting = receiver else { return nil }
      if let message = takeUnread() {
        receiver = nil
        return (waiting, .success(message))
      }
      guard let end else { return nil }
      receiver = nil
      return (waiting, .failure(end))
    }
  }
#endif
