import GraphQLRuntime

extension Graph {
  /// Nobody works at what has been asked for, and it is not to be begun.
  struct WorkNotNeeded: Error {}

  /// Requests that are on their way, so that equal ones share an answer.
  ///
  /// The first who asks does the work, in their own task; those who ask meanwhile wait for what comes
  /// of it. Who is cancelled, or whose time is up, leaves at once. When that is the one who works, the
  /// work ends with them, and the first of those who wait begins it anew.
  final class InFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// By key, who waits. There is an entry while somebody works.
    private let waiting = Locked<[Key: [ObjectIdentifier: Promise<Value>]]>([:])

    /// Instead of a result, when the one who worked has left.
    private struct WorkGivenUp: Error {}

    /// How many have asked and have no answer yet, under all keys.
    var askerCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + 1 + $1.count } } }

    /// The result of `work`, shared with everyone who asks under the same key meanwhile.
    ///
    /// - Parameters:
    ///   - deadline: how long to wait for the work of another. Work of one's own has to keep to it.
    ///   - isNotNeeded: asked before the work begins.
    /// - Throws: what `work` throws; ``WorkNotNeeded`` when it was not to begin; ``TransportError`` with
    ///   `timedOut` when the deadline passes during the wait.
    nonisolated(nonsending) func value(
      for key: Key, until deadline: Deadline? = nil, unless isNotNeeded: () -> Bool = { false },
      work: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
      while true {
        switch join(key, isNotNeeded) {
        case .leaves: throw WorkNotNeeded()
        case .works: return try await result(of: work, for: key, until: deadline)
        case .waits(let promise):
          do { return try await value(of: promise, for: key, until: deadline) } catch is WorkGivenUp
          {}
        }
      }
    }

    private enum Role {
      case works
      case waits(Promise<Value>)
      case leaves
    }

    private func join(_ key: Key, _ isNotNeeded: () -> Bool) -> Role {
      waiting.withLock { waiting in
        guard waiting[key] != nil else {
          if isNotNeeded() { return .leaves }
          waiting[key] = [:]
          return .works
        }
        let promise = Promise<Value>()
        waiting[key]?[ObjectIdentifier(promise)] = promise
        return .waits(promise)
      }
    }

    nonisolated(nonsending) private func result(
      of work: nonisolated(nonsending) () async throws -> Value, for key: Key,
      until deadline: Deadline?
    ) async throws -> Value {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      let promises = waiting.withLock { $0.removeValue(forKey: key) } ?? [:]
      guard !promises.isEmpty else { return try result.get() }
      var shared = result
      // The failure may be of the cancellation's or the deadline's making.
      if case .failure = result, Task.isCancelled || deadline?.hasPassed == true {
        shared = .failure(WorkGivenUp())
      }
      for promise in promises.values { promise.resolve(shared) }
      return try result.get()
    }

    nonisolated(nonsending) private func value(
      of promise: Promise<Value>, for key: Key, until deadline: Deadline?
    ) async throws -> Value {
      let alarm = deadline?.alarm { [self] in
        leave(
          promise, key,
          TransportError.timeIsUp(
            "while it waited for the answer to an equal query", bytesSent: false))
      }
      defer { alarm?.cancel() }
      return try await withTaskCancellationHandler {
        try await promise.value
      } onCancel: {
        leave(promise, key, CancellationError())
      }
    }

    private func leave(_ promise: Promise<Value>, _ key: Key, _ error: any Error) {
      waiting.withLock { _ = $0[key]?.removeValue(forKey: ObjectIdentifier(promise)) }
      promise.resolve(.failure(error))
    }
  }
}
