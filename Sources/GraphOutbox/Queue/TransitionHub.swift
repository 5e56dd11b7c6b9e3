import GraphClient
import GraphQLRuntime
import GraphStore

/// Passes each transition to every observer, in the order of the commits.
final class TransitionHub: Sendable {
  private struct Observer: Sendable {
    let onTransition: @Sendable (Graph.Transition) -> Void
    /// Called when receipts, or the whole queue, were deleted. There are no transitions for that.
    let onReceiptsChanged: @Sendable () -> Void
    let end: @Sendable () -> Void
  }

  typealias OpenOperation = (id: String, entity: GraphQL.EntityKey, state: Graph.OperationState)

  private struct State {
    var isEnded = false
    var failure: Graph.StoreError?
    var nextID = 0
    var observers: [Int: Observer] = [:]
    /// The operations of the queue, with their last states.
    var open: [String: (entity: GraphQL.EntityKey, state: Graph.OperationState)] = [:]
  }

  private let state = Locked(State())
  /// Those of the client; nil if there are none.
  private let clientObservers: Graph.Observers?

  init(_ observers: Graph.Observers? = nil) { clientObservers = observers }

  /// Why the transitions have ended; nil until then, and after an outbox was closed.
  var failure: Graph.StoreError? { state.withLock { $0.failure } }

  private var observers: [Observer] { state.withLock { Array($0.observers.values) } }

  func publish(_ transitions: [Graph.Transition]) {
    guard !transitions.isEmpty else { return }
    state.withLock { state in
      for transition in transitions {
        state.open[transition.operation] =
          transition.to.isFinal ? nil : (transition.entity, transition.to)
      }
    }
    let observers = observers
    for transition in transitions {
      for observer in observers { observer.onTransition(transition) }
      clientObservers?.emit(
        .queuedOperation(
          id: transition.operation, from: transition.from?.description,
          to: transition.to.description))
    }
  }

  /// Notes the operations that an earlier run has queued.
  func begin(with operations: [OpenOperation]) {
    state.withLock { state in
      for operation in operations {
        state.open[operation.id] = (operation.entity, operation.state)
      }
    }
  }

  /// Publishes the end of all operations.
  ///
  /// - Parameter unsent: those that a logout has deleted; nil for all that were known, if another store has deleted them.
  func publishLogout(_ unsent: [Graph.UnsentWork]?) {
    let open = state.withLock { state in
      defer { state.open = [:] }
      return state.open
    }
    if let unsent { return publish(unsent.map(Graph.Transition.init(dropped:))) }
    publish(
      open.sorted { $0.key < $1.key }.map { id, operation in
        Graph.Transition(dropped: id, operation.entity, from: operation.state)
      })
  }

  /// Makes the observers of states read again.
  func receiptsChanged() {
    for observer in observers { observer.onReceiptsChanged() }
  }

  /// Every transition from now on.
  func transitions(keeping limit: Int) -> Graph.Transitions {
    let id = newID()
    let buffer = TransitionBuffer(limit: limit) { [weak self] in self?.remove(id) }
    let observer = Observer(
      onTransition: { [weak buffer] in buffer?.add($0) }, onReceiptsChanged: {},
      end: { [weak buffer] in buffer?.end() })
    add(observer, id)
    return Graph.Transitions(buffer: buffer)
  }

  /// A signal for transitions of operations on objects of a type; several become one until the
  /// reader takes it.
  func signal(ofType typeName: String) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = newID()
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    let observer = Observer(
      onTransition: { if $0.entity.typeName == typeName { continuation.yield() } },
      onReceiptsChanged: { continuation.yield() }, end: { continuation.finish() })
    add(observer, id)
    return stream
  }

  private func newID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  private func add(_ observer: Observer, _ id: Int) {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.observers[id] = observer }
      return state.isEnded
    }
    if isEnded { observer.end() }
  }

  private func remove(_ id: Int) { state.withLock { $0.observers[id] = nil } }

  /// Ends every sequence, including those that are created later.
  ///
  /// - Parameter failure: the reason, if the outbox cannot continue.
  func end(_ failure: Graph.StoreError? = nil) {
    let observers = state.withLock { state in
      defer { (state.isEnded, state.observers) = (true, [:]) }
      if !state.isEnded { state.failure = failure }
      return Array(state.observers.values)
    }
    for observer in observers { observer.end() }
  }

  deinit { end() }
}
