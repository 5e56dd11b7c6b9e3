import GraphQLRuntime

/// Notifies the module whose extension tables were emptied.
final class LogoutObservers: Sendable {
  /// Its argument is the work that was never sent; nil if another store has deleted it.
  typealias Observer = @Sendable ([Graph.UnsentWork]?) -> Void

  private struct State {
    var nextID = 0
    var observers: [Int: Observer] = [:]
  }

  private let state = Locked(State())

  func publish(_ unsent: [Graph.UnsentWork]?) {
    let observers = state.withLock { Array($0.observers.values) }
    for observer in observers { observer(unsent) }
  }

  func add(_ observer: @escaping Observer) -> Registration {
    let id = state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = observer
      return state.nextID
    }
    return Registration { [self] in state.withLock { $0.observers[id] = nil } }
  }
}
