import GraphQLRuntime

extension Graph {
  /// No equal work is in progress, and the work is not needed.
  struct NotNeeded: Error {}

  /// Requests that are in progress, so that equal ones share a response.
  ///
  /// The first caller does the work in its own task; callers that arrive before its end wait for the
  /// result. A caller that is cancelled or times out returns at once. If this caller does the work,
  /// the work ends, and the first waiting caller starts it again.
  final class InFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Work in progress.
    private struct Work {
      /// See ``value(for:until:unless:onUrgency:onWait:work:)``.
      let onUrgency: (@Sendable () -> Void)?
      /// The callers that wait for it.
      var waiting: [ObjectIdentifier: Promise<Value>] = [:]
    }

    private let works = Locked<[Key: Work]>([:])

    /// Replaces a result if the caller that did the work has left.
    private struct OwnerLeft: Error {}

    /// The number of callers that have no response yet, under all keys.
    var callerCount: Int { works.withLock { $0.values.reduce(0) { $0 + 1 + $1.waiting.count } } }

    /// The result of `work`, shared with all concurrent callers with the same key.
    ///
    /// - Parameters:
    ///   - deadline: how long to wait for another caller's work. The caller's own work must respect
    ///     the deadline itself.
    ///   - isNotNeeded: called before the work begins.
    ///   - onUrgency: given by a caller that is not urgent. Called when one that is waits for its work.
    ///   - onWait: called after the wait for another caller's work.
    /// - Throws: errors of `work`; ``NotNeeded`` if it was not needed; ``TransportError`` with
    ///   `timedOut` if the deadline passes during the wait.
    nonisolated(nonsending) func value(
      for key: Key, until deadline: Deadline? = nil, unless isNotNeeded: () -> Bool = { false },
      onUrgency: (@Sendable () -> Void)? = nil, onWait: (() -> Void)? = nil,
      work: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
      while true {
        switch join(key, isNotNeeded, onUrgency) {
        case .leaves: throw NotNeeded()
        case .works: return try await result(of: work, for: key, until: deadline)
        case .waits(let promise, let onOwnerUrgency):
          if onUrgency == nil { onOwnerUrgency?() }
          defer { onWait?() }
          do { return try await value(of: promise, for: key, until: deadline) } catch is OwnerLeft {
          }
        }
      }
    }

    private enum Role {
      case works
      case waits(Promise<Value>, onOwnerUrgency: (@Sendable () -> Void)?)
      case leaves
    }

    private func join(
      _ key: Key, _ isNotNeeded: () -> Bool, _ onUrgency: (@Sendable () -> Void)?
    ) -> Role {
      works.withLock { works in
        guard let work = works[key] else {
          if isNotNeeded() { return .leaves }
          works[key] = Work(onUrgency: onUrgency)
          return .works
        }
        let promise = Promise<Value>()
        works[key]?.waiting[ObjectIdentifier(promise)] = promise
        return .waits(promise, onOwnerUrgency: work.onUrgency)
      }
    }

    nonisolated(nonsending) private func result(
      of work: nonisolated(nonsending) () async throws -> Value, for key: Key,
      until deadline: Deadline?
    ) async throws -> Value {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      let promises = works.withLock { $0.removeValue(forKey: key) }?.waiting ?? [:]
      guard !promises.isEmpty else { return try result.get() }
      var shared = result
      // The failure may be due to the cancellation or the deadline.
      if case .failure = result, Task.isCancelled || deadline?.hasPassed == true {
        shared = .failure(OwnerLeft())
      }
      for promise in promises.values { promise.resolve(shared) }
      return try result.get()
    }

    nonisolated(nonsending) private func value(
      of promise: Promise<Value>, for key: Key, until deadline: Deadline?
    ) async throws -> Value {
      let timeout = deadline?.schedule { [self] in
        leave(
          promise, key,
          TransportError.deadlineExceeded(
            "while it waited for the response to an equal query", bytesSent: false))
      }
      defer { timeout?.cancel() }
      return try await withTaskCancellationHandler {
        try await promise.value
      } onCancel: {
        leave(promise, key, CancellationError())
      }
    }

    private func leave(_ promise: Promise<Value>, _ key: Key, _ error: any Error) {
      works.withLock { _ = $0[key]?.waiting.removeValue(forKey: ObjectIdentifier(promise)) }
      promise.resolve(.failure(error))
    }
  }
}
