import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The costs of operations, computed from their documents and learned from responses.
  ///
  /// An operation with the same variables is expected to cost what the server requested for it before. With other
  /// variables, it is expected to cost what the rules compute, corrected by the last response to the document; if they
  /// compute nothing, as much as the most costly one of its document.
  final class CostEstimates: Sendable {
    private struct State {
      var exact = LeastRecentlyUsed<Key, Double>(capacity: 4096)
      var documents = LeastRecentlyUsed<DocumentKey, Document>(capacity: 1024)
    }

    private struct DocumentKey: Hashable, Sendable {
      let text: ExactKey
      /// Two schemas may have documents with one text.
      let schema: ObjectIdentifier?

      init(_ request: OperationRequest) {
        text = ExactKey(request.document)
        schema = request.schema.map(ObjectIdentifier.init)
      }
    }

    private struct Key: Hashable, Sendable {
      let document: DocumentKey
      let variables: [UInt8]
    }

    private struct Document {
      /// nil if the rules cannot be applied.
      let plan: CostPlan?
      /// The cost that the server requested last, divided by the one that the plan computed.
      var correction = 1.0
      /// The highest cost that the server requested.
      var highest: Double?
    }

    /// A wrong report does not stop all requests, or none.
    private static let corrections = 0.01...100.0

    private let rules: CostRules
    private let state = Locked(State())

    init(rules: CostRules) { self.rules = rules }

    func estimate(_ request: OperationRequest) -> Double {
      let key = DocumentKey(request)
      let exact = Key(document: key, variables: request.variables)
      if let known = state.withLock({ $0.exact.use(exact) }) { return known }
      let document = document(request, key)
      guard let plan = document.plan else {
        return document.highest ?? rules.initialCost.checkedCost
      }
      return min(
        plan.cost(request.variables) * document.correction, max(rules.maximumCost, 0))
    }

    /// Learns the cost that the server requested before it executed the operation.
    func learn(_ request: OperationRequest, from response: OperationResponse) {
      guard let cost = requestedCost(response) else { return }
      let key = DocumentKey(request)
      var document = document(request, key)
      document.highest = max(document.highest ?? 0, cost)
      if let computed = document.plan?.cost(request.variables), computed > 0 {
        let ratio = cost / computed
        document.correction = min(
          max(ratio, Self.corrections.lowerBound), Self.corrections.upperBound)
      }
      state.withLock { [document] state in
        let exact = Key(document: key, variables: request.variables)
        _ = state.exact.insert(cost, for: exact, size: 1)
        _ = state.documents.insert(document, for: key, size: 1)
      }
    }

    /// The cost that the server computed: Shopify's and Saleor's `cost`, and Hot Chocolate's `operationCost`.
    private func requestedCost(_ response: OperationResponse) -> Double? {
      let operation = response.extensions?["operationCost"]
      let ofRules: JSON? =
        switch rules.kind {
        case .fieldCost: operation?["fieldCost"]
        case .typeCost: operation?["typeCost"]
        case .learned, .shopify, .gitHub: nil
        }
      guard
        case .number(let number)? = ofRules ?? response.extensions?["cost"]?["requestedQueryCost"],
        let cost = number.double, cost >= 0, cost < 1e12
      else { return nil }
      return cost
    }

    /// The knowledge about the document, whose plan is made for its first request.
    private func document(_ request: OperationRequest, _ key: DocumentKey) -> Document {
      if let known = state.withLock({ $0.documents.use(key) }) { return known }
      let plan = request.schema.flatMap { CostPlan(request.document, in: $0, rules: rules) }
      let document = Document(plan: plan)
      return state.withLock { state in
        if let known = state.documents.use(key) { return known }
        _ = state.documents.insert(document, for: key, size: 1)
        return document
      }
    }
  }
}
