import GraphQLRuntime

extension Graph {
  /// What a call has sent so far, so that the error of a call whose time is up can say it.
  final class SendingRecord: Sendable {
    private struct State {
      /// How many requests are with the transport.
      var sendingCount = 0
      /// Whether the server may have carried out a request that is no longer with the transport.
      var mayBeCarriedOut = false
      var isClosed = false

      var bytesSent: Bool { sendingCount > 0 || mayBeCarriedOut }
    }

    private let state = Locked(State())

    var isSending: Bool { state.withLock { $0.sendingCount > 0 } }

    /// Whether the server may have carried out something. A request that it refused for its token, or
    /// did not take, does not count.
    var bytesSent: Bool { state.withLock { $0.bytesSent } }

    /// Lets nothing be sent any more.
    ///
    /// - Returns: whether the server may have carried out something.
    @discardableResult
    func close() -> Bool {
      state.withLock { state in
        state.isClosed = true
        return state.bytesSent
      }
    }

    /// Runs `send` and keeps what came of it.
    ///
    /// - Throws: also when the record is closed or the request's time is up; nothing is sent then.
    nonisolated(nonsending) func note(
      _ request: OperationRequest,
      _ send: nonisolated(nonsending) () async throws -> OperationResponse
    ) async throws -> OperationResponse {
      if request.deadline?.hasPassed == true {
        throw TransportError.timeIsUp("before it was sent", bytesSent: bytesSent)
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
          || response.status != 401 && !response.reasons.contains { $0.code == "UNAUTHENTICATED" }
      case .failure(let error):
        switch QueryError(error) {
        case .request(let error as TransportError): return error.bytesSent
        case .http(let status, _): return status != 401 && status != 429
        default: return true
        }
      }
    }
  }
}
