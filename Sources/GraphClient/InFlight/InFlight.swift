import GraphQLRuntime

extension Graph {
  /// Requests that are on their way, so that equal ones share an answer.
  ///
  /// The shared work is a task of its own. One who asked and is cancelled leaves at once; when the
  /// last one has left, the work is cancelled.
  final class InFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
      var waiters: [ObjectIdentifier: Promise<Value>]
      /// nil until the task is made, right after the entry.
      var task: Task<Void, Never>?
      /// Tells this work from later work under the same key.
      let work: ObjectIdentifier
    }

    private let entries = Locked<[Key: Entry]>([:])

    /// How many wait, under all keys.
    var waiterCount: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.waiters.count } } }

    /// The result of `work`, shared with everyone who asks under the same key meanwhile.
    func value(
      for key: Key, work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
      let promise = Promise<Value>()
      join(key, promise, work)
      return try await withTaskCancellationHandler {
        try await promise.value
      } onCancel: {
        leave(key, promise)
      }
    }

    private func join(
      _ key: Key, _ promise: Promise<Value>, _ work: @escaping @Sendable () async throws -> Value
    ) {
      let id = ObjectIdentifier(promise)
      let isFirst = entries.withLock { entries in
        if entries[key] != nil {
          entries[key]?.waiters[id] = promise
          return false
        }
        entries[key] = Entry(waiters: [id: promise], work: id)
        return true
      }
      guard isFirst else { return }
      let task = Task {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        // The promise lives until here, so that its identity is not another's.
        withExtendedLifetime(promise) { self.finish(key, work: id, result) }
      }
      entries.withLock { entries in
        if entries[key]?.work == id { entries[key]?.task = task }
      }
    }

    private func leave(_ key: Key, _ promise: Promise<Value>) {
      let task = entries.withLock { entries -> Task<Void, Never>? in
        let left = entries[key]?.waiters.removeValue(forKey: ObjectIdentifier(promise))
        guard left != nil, entries[key]?.waiters.isEmpty == true else { return nil }
        return entries.removeValue(forKey: key)?.task
      }
      task?.cancel()
      promise.resolve(.failure(CancellationError()))
    }

    private func finish(_ key: Key, work: ObjectIdentifier, _ result: Result<Value, any Error>) {
      let waiters = entries.withLock { entries -> [Promise<Value>] in
        guard entries[key]?.work == work else { return [] }
        return entries.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
      }
      for waiter in waiters { waiter.resolve(result) }
    }
  }
}
