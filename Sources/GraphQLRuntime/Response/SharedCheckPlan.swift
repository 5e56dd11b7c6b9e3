extension GraphQL {
  /// The check plan of all operations of one document, lent to one check at a time: plans grow while
  /// they are used. An answer that comes while another is checked is checked by a plan of its own.
  final class SharedCheckPlan: Sendable {
    private let plan = Locked<CheckPlan?>(nil)

    /// nil where there is none yet, or another check has it.
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
