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
