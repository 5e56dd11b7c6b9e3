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

/// The newest transitions, for any number of readers.
final class TransitionBuffer: Sendable {
  private struct State {
    /// The buffered transitions; those before `first` are not counted.
    var transitions: [Graph.Transition] = []
    var first = 0
    /// The number of dropped transitions.
    var dropped = 0
    var isEnded = false
    var nextReader = 0
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let limit: Int
  private let state = Locked(State())
  private let whenGone: @Sendable () -> Void

  init(limit: Int, whenGone: @escaping @Sendable () -> Void) {
    self.limit = Swift.max(limit, 1)
    self.whenGone = whenGone
  }

  deinit { whenGone() }

  func add(_ transition: Graph.Transition) {
    let readers = state.withLock { state in
      if state.transitions.count - state.first == limit {
        state.first += 1
        state.dropped += 1
      }
      state.transitions.append(transition)
      // Each transition is moved once on average.
      if state.first > limit {
        state.transitions.removeFirst(state.first)
        state.first = 0
      }
      return Array(state.readers.values)
    }
    for reader in readers { reader.yield() }
  }

  func end() {
    let readers = state.withLock { state in
      defer { (state.isEnded, state.readers) = (true, [:]) }
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }

  /// Signals new transitions to a reader.
  func register(_ signal: AsyncStream<Void>.Continuation) -> Int {
    let (id, isEnded) = state.withLock { state in
      state.nextReader += 1
      if !state.isEnded { state.readers[state.nextReader] = signal }
      return (state.nextReader, state.isEnded)
    }
    if isEnded { signal.finish() }
    return id
  }

  func remove(_ reader: Int) { state.withLock { $0.readers[reader] = nil } }

  /// The transition with a number, or the oldest buffered one after it; nil while there is none.
  ///
  /// - Parameter number: the number of the reader's next transition; it is updated.
  func next(_ number: inout Int) -> Graph.Transition? {
    state.withLock { state in
      let missed = Swift.max(state.dropped - number, 0)
      let index = state.first + Swift.max(number - state.dropped, 0)
      guard index < state.transitions.count else { return nil }
      var transition = state.transitions[index]
      transition.missed = missed
      number += missed + 1
      return transition
    }
  }
}

/// The position of one reader in the transitions.
final class TransitionReader: Sendable {
  let signals: AsyncStream<Void>
  private let buffer: TransitionBuffer
  private let id: Int
  private let number = Locked(0)

  init(_ buffer: TransitionBuffer) {
    self.buffer = buffer
    let (stream, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    signals = stream
    id = buffer.register(signal)
  }

  deinit { buffer.remove(id) }

  func take() -> Graph.Transition? { number.withLock { buffer.next(&$0) } }
}

extension Graph {
  /// The transitions of all operations, from the call of ``Outbox/transitions(keeping:)`` on.
  ///
  /// Each reader gets all transitions, whenever it begins. The sequence buffers the newest ones, up
  /// to its limit. A slower reader misses the oldest, and the next transition that it reads contains
  /// their number. The sequence ends when the reader's task is cancelled, the outbox is closed or has
  /// stopped by itself (``Outbox/failure``).
  public struct Transitions: AsyncSequence, Sendable {
    public typealias Element = Transition

    let buffer: TransitionBuffer

    public func makeAsyncIterator() -> Iterator {
      let reader = TransitionReader(buffer)
      return Iterator(reader: reader, signal: reader.signals.makeAsyncIterator())
    }

    /// Yields the transitions in the order of their commits.
    public struct Iterator: AsyncIteratorProtocol {
      let reader: TransitionReader
      var signal: AsyncStream<Void>.Iterator

      public mutating func next() async -> Transition? {
        while true {
          if let transition = reader.take() { return transition }
          // Transitions that arrived with the end are read as well.
          guard await signal.next() != nil else { return Task.isCancelled ? nil : reader.take() }
        }
      }
    }
  }
}
