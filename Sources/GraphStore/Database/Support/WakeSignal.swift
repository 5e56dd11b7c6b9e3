import GraphQLRuntime

/// Wakes one waiting task. If it is raised several times before the task runs, the task wakes once:
/// a slow observer gets the newest state and no backlog.
final class WakeSignal: Sendable {
  private enum State {
    case idle
    case raised
    case waiting(CheckedContinuation<Bool, Never>)
    case ended
  }

  private let state = Locked(State.idle)
  /// The entities whose updates have raised the signal; nil if something else has.
  private let updates = Locked<Set<GraphQL.EntityKey>?>([])

  func raise() {
    updates.withLock { $0 = nil }
    wake()
  }

  func raise(byUpdateOf key: GraphQL.EntityKey) {
    updates.withLock { _ = $0?.insert(key) }
    wake()
  }

  /// The entities whose updates have raised the signal since the last call; nil if something else has.
  func takeUpdates() -> Set<GraphQL.EntityKey>? {
    updates.withLock { updates in
      defer { updates = [] }
      return updates
    }
  }

  private func wake() {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      switch state {
      case .idle, .raised:
        state = .raised
        return nil
      case .waiting(let continuation):
        state = .idle
        return continuation
      case .ended: return nil
      }
    }
    waiter?.resume(returning: true)
  }

  /// Waits until the signal is raised; false if it ended, or the task was cancelled. For one task.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRaised = state.withLock { state -> Bool? in
          switch state {
          case .idle:
            state = .waiting(continuation)
            return nil
          case .raised:
            state = .idle
            return true
          case .waiting, .ended: return false
          }
        }
        if let isRaised { continuation.resume(returning: isRaised) }
      }
    } onCancel: {
      end()
    }
  }

  func end() {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      defer { state = .ended }
      return if case .waiting(let continuation) = state { continuation } else { nil }
    }
    waiter?.resume(returning: false)
  }
}

/// Ends an observation when it is released.
package final class Registration: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
