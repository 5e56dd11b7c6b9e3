import Dispatch
import GraphQLRuntime

extension Graph {
  /// Calls a completion handler on the main queue, the last time once.
  ///
  /// What waits for the main queue when the operation is cancelled is not delivered any more.
  final class Completion<Root: GraphQL.AbstractResponse>: Sendable {
    typealias Handler = @MainActor @Sendable (Root?, QueryError?) -> Void

    private struct State {
      /// nil when it has been called for the last time.
      var handler: Handler?
      var isFinished = false
      var isCancelled = false
    }

    private let state: Locked<State>

    init(_ handler: @escaping Handler) { state = Locked(State(handler: handler)) }

    /// The end, unless it has come before.
    func finish(_ result: Result<Response<Root>, QueryError>) { enqueue(result, isLast: true) }

    /// An answer with another to follow.
    func deliver(_ response: Response<Root>) { enqueue(.success(response), isLast: false) }

    /// The end with a cancellation, unless the handler has been called with another.
    func cancel() {
      state.withLock { $0.isCancelled = true }
      finish(.failure(.cancelled))
    }

    private func enqueue(_ result: Result<Response<Root>, QueryError>, isLast: Bool) {
      state.withLock { state in
        guard !state.isFinished else { return }
        state.isFinished = isLast
        // While nobody else can, so that the last one comes last.
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
      case .success(let response): handler?(response.data, response.error)
      case .failure(let error): handler?(nil, error)
      }
    }
  }
}
