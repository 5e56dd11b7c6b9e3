extension GraphQL {
  /// How the responses to a document are checked and read. A plan grows while a response is checked.
  struct ResponsePlan: Sendable {
    let check: CheckPlan
    /// Where the root of a typed operation is read; nil if the response is read by generated classes.
    let records: RecordPlace?
  }

  /// The plans of all operations of one document, each used by one response at a time. There are as many as
  /// responses were read concurrently, up to a limit.
  final class SharedResponsePlan: Sendable {
    private static let maximumCount = 8

    private let plans = Locked<[ResponsePlan]>([])

    /// nil if there is none yet, or others use them.
    func take() -> ResponsePlan? { plans.withLock { $0.popLast() } }

    func put(_ plan: ResponsePlan) {
      plans.withLock { if $0.count < Self.maximumCount { $0.append(plan) } }
    }
  }
}
