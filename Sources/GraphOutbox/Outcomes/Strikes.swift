/// Counts how often in a row an operation failed for the same reason.
struct Strikes: Sendable, Equatable {
  /// The operation is not sent again after so many.
  static let limit = 3

  /// The reason that is counted, normalised; empty before the first.
  private(set) var reason = ""
  private(set) var count = 0

  init() {}

  init(reason: String, count: Int) {
    self.reason = reason
    self.count = count
  }

  var isOut: Bool { count >= Self.limit }

  /// A different reason starts the count again.
  mutating func add(_ new: RejectionReason) {
    count = new.normalized == reason ? count + 1 : 1
    reason = new.normalized
  }
}
