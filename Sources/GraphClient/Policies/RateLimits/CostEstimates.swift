import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The costs of operations, learned from responses.
  ///
  /// An operation with the same variables is expected to cost what the server requested for it before. With other
  /// variables, it is expected to cost as much as the most costly one of its document.
  final class CostEstimates: Sendable {
    private struct State {
      var exact = LeastRecentlyUsed<Key, Double>(capacity: 4096)
      var highest = LeastRecentlyUsed<ExactKey, Double>(capacity: 1024)
    }

    private struct Key: Hashable, Sendable {
      let document: ExactKey
      let variables: [UInt8]
    }

    private let initial: Double
    private let state = Locked(State())

    /// - Parameter initial: the cost of a document that was not sent before.
    init(initial: Double) { self.initial = initial.checkedCost }

    func estimate(_ request: OperationRequest) -> Double {
      let document = ExactKey(request.document)
      return state.withLock { state in
        state.exact.use(Key(document: document, variables: request.variables))
          ?? state.highest.use(document) ?? initial
      }
    }

    /// Learns the cost that the server requested before it executed the operation.
    func learn(_ request: OperationRequest, from response: OperationResponse) {
      guard case .number(let number)? = response.extensions?["cost"]?["requestedQueryCost"],
        let cost = number.double, cost >= 0, cost < 1e12
      else { return }
      let document = ExactKey(request.document)
      state.withLock { state in
        let key = Key(document: document, variables: request.variables)
        _ = state.exact.insert(cost, for: key, size: 1)
        let highest = max(state.highest.use(document) ?? 0, cost)
        _ = state.highest.insert(highest, for: document, size: 1)
      }
    }
  }
}
