import Dispatch
import GraphQLRuntime
import Synchronization

extension Graph {
  /// Calls a completion handler on the main queue, the last time once.
  final class Completion<Root: GraphQL.AbstractResponse>: Sendable {
    typealias Handler = @MainActor @Sendable (Root?, QueryError?) -> Void

    private let handler: Mutex<Handler?>

    init(_ handler: @escaping Handler) { self.handler = Mutex(handler) }

    /// The end, unless it has come before.
    func finish(_ result: Result<Response<Root>, QueryError>) {
      let handler = handler.withLock { handler in
        defer { handler = nil }
        return handler
      }
      if let handler { call(handler, result) }
    }

    /// An answer with another to follow.
    func deliver(_ response: Response<Root>) {
      if let handler = handler.withLock({ $0 }) { call(handler, .success(response)) }
    }

    private func call(
      _ handler: @escaping Handler, _ result: Result<Response<Root>, QueryError>
    ) {
      DispatchQueue.main.async {
        switch result {
        case .success(let response): handler(response.data, response.error)
        case .failure(let error): handler(nil, error)
        }
      }
    }
  }
}
