import GraphQLRuntime

extension Graph {
  /// Notifies observers of each new token.
  package final class Renewals: Sendable {
    private struct State {
      var count = 0
      var nextID = 0
      var observers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// The number of tokens after the first.
    var count: Int { state.withLock { $0.count } }

    func publish() {
      let observers = state.withLock { state in
        state.count += 1
        return Array(state.observers.values)
      }
      for observer in observers { observer() }
    }

    func add(_ observer: @escaping @Sendable () -> Void) -> RenewalToken {
      let id = state.withLock { state in
        state.nextID += 1
        state.observers[state.nextID] = observer
        return state.nextID
      }
      return RenewalToken { [self] in state.withLock { $0.observers[id] = nil } }
    }
  }

  /// Keeps an observer of ``Renewals`` until it is released.
  package final class RenewalToken: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }
}
