import GraphQLRuntime

@testable import GraphClient

/// Blocks each request until the test lets it go, with a response of another transport or an error.
final class SteppedTransport: Graph.Transport {
  private typealias Step = CheckedContinuation<(any Error)?, Never>

  private struct State {
    var steps: [Int: Step] = [:]
    var count = 0
    var waiters: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
  }

  private let other: any Graph.Transport
  private let onSend: @Sendable () -> Void
  private let state = Locked(State())

  /// - Parameter onSend: called before a request is blocked.
  init(_ other: any Graph.Transport, onSend: @escaping @Sendable () -> Void = {}) {
    self.other = other
    self.onSend = onSend
  }

  /// Returns when that many requests are blocked, or were.
  func wait(for count: Int) async {
    await withCheckedContinuation { waiter in
      let isThere = state.withLock { state in
        if state.count < count { state.waiters.append((count, waiter)) }
        return state.count >= count
      }
      if isThere { waiter.resume() }
    }
  }

  /// Lets a request go; the first one has the number 1.
  func letGo(_ number: Int, error: (any Error)? = nil) {
    state.withLock { $0.steps.removeValue(forKey: number) }?.resume(returning: error)
  }

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    onSend()
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { step in
        let waiters = state.withLock { state in
          state.steps[number] = step
          let (ready, others) = (
            state.waiters.filter { $0.count <= number }, state.waiters.filter { $0.count > number }
          )
          state.waiters = others
          return ready
        }
        for (_, waiter) in waiters { waiter.resume() }
        if Task.isCancelled { letGo(number, error: CancellationError()) }
      }
    } onCancel: {
      letGo(number, error: CancellationError())
    }
    if let error { throw error }
    return try await other.send(request)
  }
}
