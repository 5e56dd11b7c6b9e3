import Dispatch
import Foundation
import GraphClient
import GraphQLRuntime

extension Graph {
  /// An operation that starts with ``resume()`` and can be ended with ``cancel()``: one handle for
  /// all of its attempts.
  ///
  /// Its completion is called once on the main queue: after ``cancel()`` with
  /// ``LegacyQueryError/cancelled``. (With the policy `cacheAndNetwork` an earlier call may deliver
  /// the cached response.)
  public final class GraphTask: Sendable {
    private enum State {
      case idle(start: @Sendable () async -> Void)
      case running(Task<Void, Never>)
      case ended
    }

    private let state: Locked<State>
    private let onCancel: @Sendable () -> Void
    private let onNeglect: @Sendable (String) -> Void
    private let name: String

    /// - Parameters:
    ///   - name: the operation's name in messages.
    ///   - start: the whole work, including the completion.
    ///   - onCancel: completes with a cancellation unless it has already completed.
    ///   - onNeglect: gets a message if the task is released without having been resumed.
    init(
      name: String, start: @escaping @Sendable () async -> Void,
      onCancel: @escaping @Sendable () -> Void,
      onNeglect: @escaping @Sendable (String) -> Void = Graph.debugMessage
    ) {
      self.name = name
      self.onCancel = onCancel
      self.onNeglect = onNeglect
      state = Locked(.idle(start: start))
    }

    /// Starts the operation. Calling it again, or after ``cancel()``, does nothing.
    public func resume() {
      state.withLock { state in
        guard case .idle(let start) = state else { return }
        state = .running(Task { await start() })
      }
    }

    /// Ends the work and completes with ``LegacyQueryError/cancelled``, unless the
    /// completion has been called.
    public func cancel() {
      let task = state.withLock { state -> Task<Void, Never>? in
        defer { state = .ended }
        return if case .running(let task) = state { task } else { nil }
      }
      task?.cancel()
      onCancel()
    }

    deinit {
      let wasNeglected = state.withLock { if case .idle = $0 { true } else { false } }
      if wasNeglected {
        onNeglect("\(name) was released without resume(): nothing has been sent")
      }
    }
  }

  /// In debug builds, a line on standard error.
  static func debugMessage(_ text: String) {
    #if DEBUG
      FileHandle.standardError.write(Data("GraphCompatibility: \(text)\n".utf8))
    #endif
  }
}

extension Graph.Client {
  /// The arguments of a completion handler, which can be both data and an error.
  public typealias QueryCompletion<Root: GraphQL.ResponseRoot> =
    @MainActor @Sendable (Root?, Graph.LegacyQueryError?) -> Void

  /// A task that gets the response from the server, or from the cache if the policy allows it, when
  /// it is resumed.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own by default. With a `retryHandler` it is
  ///     `networkOnly`.
  ///   - retryHandler: repeats the query while its condition is true. The client's retry policy does
  ///     not apply then: the handler alone determines the number of requests.
  ///   - completionHandler: called on the main queue.
  public func queryGraphWith<Query: GraphQL.QueryRepresentable>(
    _ query: Query, cachePolicy: Graph.CachePolicy? = nil,
    retryHandler: Graph.RetryHandler<Query.Response>? = nil,
    completionHandler: @escaping QueryCompletion<Query.Response>
  ) -> Graph.GraphTask {
    let frozen = Result { () throws(Graph.QueryError) in try operation(of: query) }
    return makeTask(frozen, completionHandler) { client, operation, completion in
      if let retryHandler {
        return await client.poll(retryHandler) { () throws(Graph.QueryError) in
          try await client.perform(
            operation, idempotencyKey: nil, timeout: nil, repeats: false)
        }
      }
      let policy = cachePolicy ?? client.cachePolicy
      return await Result.catching { () async throws(Graph.QueryError) in
        try await client.lastResponse(to: operation, policy: policy) { completion.deliver($0) }
      }
    }
  }

  /// A task that sends a mutation when it is resumed. The response is never stored.
  ///
  /// - Parameters:
  ///   - idempotencyKey: sent as `Idempotency-Key`. Only with a key is a mutation with an unknown
  ///     outcome retried; the server must then respond to the second request as to the first.
  ///   - retryHandler: repeats the mutation while its condition is true. The client's retry policy
  ///     does not apply then.
  ///   - completionHandler: called on the main queue.
  public func mutateGraphWith<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, idempotencyKey: String? = nil,
    retryHandler: Graph.RetryHandler<Mutation.Response>? = nil,
    completionHandler: @escaping QueryCompletion<Mutation.Response>
  ) -> Graph.GraphTask {
    let frozen = Result { () throws(Graph.QueryError) in try operation(of: mutation) }
    return makeTask(frozen, completionHandler) { client, operation, _ in
      let attempt = { () async throws(Graph.QueryError) in
        try await client.perform(
          operation, idempotencyKey: idempotencyKey, timeout: nil, repeats: retryHandler == nil)
      }
      guard let retryHandler else { return await Result.catching(attempt) }
      return await client.poll(retryHandler, attempt)
    }
  }

  private typealias Outcome<Root: GraphQL.ResponseRoot> =
    Result<Graph.Response<Root>, Graph.QueryError>

  private func makeTask<Root>(
    _ frozen: Result<GraphQL.Operation<Root>, Graph.QueryError>,
    _ completionHandler: @escaping QueryCompletion<Root>,
    _ work:
      @escaping @Sendable (Graph.Client, GraphQL.Operation<Root>, Graph.Completion<Root>) async ->
      Outcome<Root>
  ) -> Graph.GraphTask {
    let completion = Graph.Completion(completionHandler)
    let name = if case .success(let operation) = frozen { operation.title } else { "operation" }
    return Graph.GraphTask(name: "the task of \(name)") {
      switch frozen {
      case .success(let operation):
        completion.finish(await work(self, operation, completion))
      case .failure(let error): completion.finish(.failure(error))
      }
    } onCancel: {
      completion.cancel()
    }
  }

  /// Repeats `attempt` as the handler requires; the last outcome counts.
  private func poll<Root>(
    _ handler: Graph.RetryHandler<Root>,
    _ attempt: () async throws(Graph.QueryError) -> Graph.Response<Root>
  ) async -> Outcome<Root> {
    var handler = handler
    while true {
      let outcome = await Outcome<Root>.catching(attempt)
      let (data, error): (Root?, Graph.QueryError?) =
        switch outcome {
        case .success(let response): (response.data, response.error)
        case .failure(let error): (nil, error)
        }
      if error?.code == .cancelled { return outcome }
      guard let delay = handler.delayBeforeRetry(data, error.map(Graph.LegacyQueryError.init))
      else { return outcome }
      guard (try? await time.sleep(for: delay)) != nil else { return .failure(.cancelled) }
    }
  }
}

extension Result where Failure == Graph.QueryError {
  fileprivate static func catching(
    _ body: () async throws(Graph.QueryError) -> Success
  ) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}

extension GraphQL.Operation {
  fileprivate var title: String { "\(kind.rawValue) \(name ?? "(anonymous)")" }
}

extension Graph {
  /// Repeats an operation until its response meets a condition: polling.
  public struct RetryHandler<R: GraphQL.ResponseRoot>: Sendable {
    /// Whether to repeat the operation, given its outcome.
    public typealias Condition = @Sendable (R?, LegacyQueryError?) -> Bool

    /// How often an operation is repeated.
    public enum Endurance: Sendable, Hashable {
      case infinite
      /// That many times after the first.
      case finite(Int)
    }

    /// How often the operation is repeated.
    public let endurance: Endurance
    /// Seconds between a response and the next request.
    public let interval: Double
    /// Whether to repeat the operation, given its outcome.
    public let condition: Condition
    /// How often the operation was repeated.
    public private(set) var repeatCount = 0

    /// A handler that repeats the operation every two seconds, without limit, while the condition
    /// is true.
    public init(
      endurance: Endurance = .infinite, interval: Double = 2,
      condition: @escaping Condition
    ) {
      self.endurance = endurance
      self.interval = interval
      self.condition = condition
    }

    /// Whether the endurance allows another request.
    public var canRetry: Bool {
      switch endurance {
      case .infinite: true
      case .finite(let limit): repeatCount < limit
      }
    }

    /// How long to wait before the next request; nil if there is none.
    mutating func delayBeforeRetry(_ data: R?, _ error: LegacyQueryError?) -> Duration? {
      guard canRetry, condition(data, error) else { return nil }
      repeatCount += 1
      return .seconds(interval.isFinite ? min(max(interval, 0), 86_400 * 365) : 0)
    }
  }
}

extension Graph {
  /// Calls a completion handler on the main queue, exactly once with the last outcome.
  ///
  /// Calls that wait for the main queue when the operation is cancelled are not delivered.
  final class Completion<Root: GraphQL.ResponseRoot>: Sendable {
    typealias Handler = @MainActor @Sendable (Root?, LegacyQueryError?) -> Void

    private struct State {
      /// nil after the last call.
      var handler: Handler?
      var isFinished = false
      var isCancelled = false
    }

    private let state: Locked<State>

    init(_ handler: @escaping Handler) { state = Locked(State(handler: handler)) }

    /// The last outcome, unless there was one before.
    func finish(_ result: Result<Response<Root>, QueryError>) { enqueue(result, isLast: true) }

    /// A response that is not the last.
    func deliver(_ response: Response<Root>) { enqueue(.success(response), isLast: false) }

    /// Ends with a cancellation, unless the handler has been called with another outcome.
    func cancel() {
      state.withLock { $0.isCancelled = true }
      finish(.failure(.cancelled))
    }

    private func enqueue(_ result: Result<Response<Root>, QueryError>, isLast: Bool) {
      state.withLock { state in
        guard !state.isFinished else { return }
        state.isFinished = isLast
        // Under the lock, so that the last one is delivered last.
        DispatchQueue.main.async { self.call(result, isLast: isLast) }
      }
    }

    @MainActor private func call(
      _ result: Result<Response<Root>, QueryError>, isLast: Bool
    ) {
      let (handler, isCancelled) = state.withLock { state in
        defer { if isLast { state.handler = nil } }
        return (state.handler, state.isCancelled)
      }
      switch result {
      case _ where isCancelled: if isLast { handler?(nil, .cancelled) }
      case .success(let response):
        handler?(response.data, response.error.map(LegacyQueryError.init))
      case .failure(let error): handler?(nil, LegacyQueryError(error))
      }
    }
  }
}
