/// Counts how often in a row an operation failed for the same reason.
struct RefusalCount: Sendable, Equatable {
  /// After this number, the operation is not retried.
  static let limit = 3

  /// The counted reason, normalised; empty before the first.
  private(set) var reason = ""
  private(set) var count = 0

  init() {}

  init(reason: String, count: Int) {
    self.reason = reason
    self.count = count
  }

  var hasReachedLimit: Bool { count >= Self.limit }

  /// A different reason restarts the count.
  mutating func add(_ new: Graph.RejectionReason) {
    count = new.normalized == reason ? count + 1 : 1
    reason = new.normalized
  }
}
