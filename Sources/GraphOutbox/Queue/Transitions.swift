import GraphQLRuntime

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
