import GraphQLRuntime

/// The steps of all operations, from the call of ``Outbox/transitions(keeping:)`` on.
///
/// Each reader sees all steps, whenever it begins. The sequence keeps the newest steps, as many as it was
/// told to. A reader that is slower misses the oldest, and the next step that it reads says how many. The
/// sequence ends when the reader's task is cancelled, the outbox is closed or has stopped by itself
/// (``Outbox/failure``).
public struct Transitions: AsyncSequence, Sendable {
  public typealias Element = Transition

  let buffer: TransitionBuffer

  public func makeAsyncIterator() -> Iterator {
    let reader = TransitionReader(buffer)
    return Iterator(reader: reader, signal: reader.signals.makeAsyncIterator())
  }

  /// Yields the steps in the order of their commits.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: TransitionReader
    var signal: AsyncStream<Void>.Iterator

    public mutating func next() async -> Transition? {
      while true {
        if let transition = reader.take() { return transition }
        // Steps that came with the end are read as well.
        guard await signal.next() != nil else { return Task.isCancelled ? nil : reader.take() }
      }
    }
  }
}
