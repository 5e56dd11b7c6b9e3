import Foundation
import GraphClient
import GraphQLRuntime

extension ValkeyLink {
  func connectIfPossible(at now: Int64, _ wake: @escaping @Sendable () -> Void) {
    let wants = state.withLock { state in
      if case .closed = state.phase { state.isWanted && !state.isStopped } else { false }
    }
    guard wants, breaker.mayConnect(at: now) else { return }
    let attempt = state.withLock { state in
      state.phase = .connecting
      state.since = now
      state.attempt += 1
      return state.attempt
    }
    // Finding the server and resolving its name block, so each attempt has a thread of its own. Attempts are rare.
    let failures = breaker.failures
    let thread = Thread { [self] in
      finishConnecting(attempt, after: failures)
      wake()
    }
    thread.name = "GraphValkey.connect"
    thread.start()
  }

  private func finishConnecting(_ attempt: Int, after failures: Int) {
    do throws(Graph.ValkeyError) {
      let server = try route.server(after: failures)
      try use(server.connect(within: configuration.connectTimeout), to: server, attempt)
    } catch {
      close(error, isSuspect: true, at: ValkeyClock.now, attempt)
    }
  }

  /// Begins the handshake, unless the attempt has ended.
  private func use(
    _ descriptor: Int32, to server: Graph.ValkeyConfiguration.Address, _ attempt: Int
  ) throws(Graph.ValkeyError) {
    let stream =
      descriptor < 0
      ? nil
      : ValkeyStream(
        library, descriptor, configuration.tls, within: configuration.connectTimeout)
    let result = state.withLock { state -> Result<Void, Graph.ValkeyError> in
      guard state.attempt == attempt, case .connecting = state.phase else { return .success(()) }
      guard let stream else { return .failure(.noConnection) }
      state.stream = stream
      state.server = server
      return Result { () throws(Graph.ValkeyError) in _ = try sendStep(0, [], stream, &state) }
    }
    try result.get()
  }
}
