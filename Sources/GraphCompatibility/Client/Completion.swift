import Dispatch
import GraphClient
import GraphQLRuntime

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
