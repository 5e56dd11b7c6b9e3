import GraphQLRuntime

extension Graph {
  /// The requests that a call has sent so far, for the error of a call that times out.
  final class SendingRecord: Sendable {
    private struct State {
      /// The number of requests that the transport is carrying.
      var sendingCount = 0
      /// Whether the server may have carried out a request that has left the transport.
      var mayBeCarriedOut = false
      var isClosed = false

      var bytesSent: Bool { sendingCount > 0 || mayBeCarriedOut }
    }

    private let state = Locked(State())

    var isSending: Bool { state.withLock { $0.sendingCount > 0 } }

    /// Whether the server may have carried out any request. A request that it refused because of
    /// its token, or did not accept, does not count.
    var bytesSent: Bool { state.withLock { $0.bytesSent } }

    /// Prevents any further sending.
    ///
    /// - Returns: whether the server may have carried out any request.
    @discardableResult
    func close() -> Bool {
      state.withLock { state in
        state.isClosed = true
        return state.bytesSent
      }
    }

    /// Runs `send` and records its outcome.
    ///
    /// - Throws: the errors of `send`. If the record is closed or the deadline has passed, an
    ///   error, and nothing is sent.
    nonisolated(nonsending) func note(
      _ request: OperationRequest,
      _ send: nonisolated(nonsending) () async throws -> OperationResponse
    ) async throws -> OperationResponse {
      if request.deadline?.hasPassed == true {
        throw TransportError.deadlineExceeded("before its request was sent", bytesSent: bytesSent)
      }
      let mayBegin = state.withLock { state in
        if !state.isClosed { state.sendingCount += 1 }
        return !state.isClosed
      }
      guard mayBegin else { throw CancellationError() }
      let result: Result<OperationResponse, any Error>
      do { result = .success(try await send()) } catch { result = .failure(error) }
      state.withLock { state in
        state.sendingCount -= 1
        if Self.mayBeCarriedOut(result) { state.mayBeCarriedOut = true }
      }
      return try result.get()
    }

    private static func mayBeCarriedOut(_ result: Result<OperationResponse, any Error>) -> Bool {
      switch result {
      case .success(let response):
        return response.data != nil
          || response.status != 401 && !response.errors.contains { $0.code == "UNAUTHENTICATED" }
      case .failure(let error):
        let error = QueryError(error)
        switch error.code {
        case .transport, .cancelled: return error.transportError?.bytesSent ?? true
        case .status: return error.response?.status != 401 && error.response?.status != 429
        default: return true
        }
      }
    }
  }
}
