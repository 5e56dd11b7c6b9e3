import GraphClient
import GraphQLRuntime

/// Wakes one task when the lease for which it waits may have ended.
final class WakeSignal: Sendable {
  private struct State {
    var isSubscribed = false
    /// Whether something has happened since the last wait.
    var hasNews = false
    var promise: Promise<Void>?
  }

  private let state = Locked(State())

  /// Whether messages arrive.
  var isSubscribed: Bool { state.withLock { $0.isSubscribed } }

  func receive(_ message: ValkeySubscriptions.Message) {
    state.withLock { state in
      switch message {
      case .subscribed: state.isSubscribed = true
      case .lost: state.isSubscribed = false
      case .message: break
      }
    }
    fire()
  }

  private func fire() {
    let promise = state.withLock { state in
      state.hasNews = state.promise == nil
      defer { state.promise = nil }
      return state.promise
    }
    promise?.resolve(.success(()))
  }

  /// Returns after `duration`, after a message, or when the task is cancelled.
  func wait(for duration: Duration) async {
    let promise = Promise<Void>()
    let hasNews = state.withLock { state in
      defer { state.hasNews = false }
      if !state.hasNews { state.promise = promise }
      return state.hasNews
    }
    if hasNews { return }
    let timeout = Graph.SystemTime().schedule(after: duration) { promise.resolve(.success(())) }
    defer { timeout.cancel() }
    await withTaskCancellationHandler {
      try? await promise.value
    } onCancel: {
      promise.resolve(.success(()))
    }
    state.withLock { $0.promise = nil }
  }
}
