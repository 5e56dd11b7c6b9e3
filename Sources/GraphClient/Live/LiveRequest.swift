extension Graph {
  /// A request of a live query or list, which ends with it.
  final class LiveRequest: Sendable {
    /// Distinguishes the requests of one object: the task of one cannot reference it.
    let number: Int
    let task: Task<Void, Never>

    init(_ number: Int, _ task: Task<Void, Never>) {
      self.number = number
      self.task = task
    }

    deinit { task.cancel() }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Waits for the end of the task, or until the calling task is cancelled. This task then continues.
  nonisolated(nonsending) func end() async {
    let (ends, continuation) = AsyncStream<Never>.makeStream()
    Task<Void, Never> {
      await value
      continuation.finish()
    }
    // The stream also ends when the calling task is cancelled.
    for await _ in ends {}
  }
}
