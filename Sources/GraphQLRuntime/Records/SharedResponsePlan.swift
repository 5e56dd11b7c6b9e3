extension GraphQL {
  /// How the responses to a document are checked and read. A plan grows while a response is checked.
  struct ResponsePlan: Sendable {
    let check: CheckPlan
    /// Where the root of a typed operation is read; nil if the response is read by generated classes.
    let records: RecordPlace?
  }

  /// The plan of all operations of one document, used by one response at a time. A response that is
  /// checked concurrently uses its own plan.
  final class SharedResponsePlan: Sendable {
    private let plan = Locked<ResponsePlan?>(nil)

    /// nil if there is none yet, or another check uses it.
    func take() -> ResponsePlan? {
      plan.withLock { plan in
        defer { plan = nil }
        return plan
      }
    }

    func put(_ plan: ResponsePlan) {
      self.plan.withLock { $0 = plan }
    }
  }
}
