extension GraphQL {
  /// The check plan of all operations of one document, used by one check at a time, as plans grow
  /// during a check. A response that is checked concurrently uses its own plan.
  final class SharedCheckPlan: Sendable {
    private let plan = Locked<CheckPlan?>(nil)

    /// nil if there is none yet, or another check uses it.
    func take() -> CheckPlan? {
      plan.withLock { plan in
        defer { plan = nil }
        return plan
      }
    }

    func put(_ plan: CheckPlan) {
      self.plan.withLock { $0 = plan }
    }
  }
}
