/// What becomes of an operation after an attempt.
enum Decision: Sendable, Equatable {
  case deliver
  /// - Parameter isDoubtful: whether it may have been carried out all the same.
  case retry(after: Duration, Strikes, isDoubtful: Bool = false)
  case park
  case hold(RejectionReason, Strikes)
  /// It is changed by the rule for conflicts and sent again, or rejected.
  case resolve(RejectionReason, Strikes)
  case reject(RejectionReason)

  /// The state that the operation goes to.
  var state: OperationState {
    switch self {
    case .deliver: .delivered
    case .retry, .resolve: .pending
    case .park: .parked
    case .hold: .uncertain
    case .reject: .rejected
    }
  }
}

/// Decides what becomes of an operation.
struct DecisionRule: Sendable {
  var backoff = Backoff()

  /// - Parameters:
  ///   - attempts: how often the operation has been sent, this time included.
  ///   - isDoubtful: whether an earlier attempt may have carried it out.
  ///   - isRepeatable: whether the server carries it out once however often it is sent.
  ///   - random: from 0 up to 1.
  func decision(
    on outcome: AttemptOutcome, attempts: Int, strikes: Strikes, isDoubtful: Bool = false,
    isRepeatable: Bool, random: Double
  ) -> Decision {
    var strikes = strikes
    switch outcome {
    case .success: return .deliver
    case .rejected(let reason): return .reject(reason)
    case .unauthenticated: return .park
    case .conflict(let reason):
      strikes.add(reason)
      return strikes.isOut ? .reject(reason) : .resolve(reason, strikes)
    case .notExecuted(let reason, let delay):
      if let reason {
        strikes.add(reason)
        // What may have been done is not undone by giving up.
        if strikes.isOut { return isDoubtful ? .hold(reason, strikes) : .reject(reason) }
      }
      return .retry(
        after: backoff.delay(after: attempts, asked: delay, random: random), strikes)
    case .ambiguous(let reason):
      strikes.add(reason)
      // Three times nobody knows: it may have been carried out, so it is not rejected either.
      guard isRepeatable, !strikes.isOut else { return .hold(reason, strikes) }
      return .retry(
        after: backoff.delay(after: attempts, asked: nil, random: random), strikes,
        isDoubtful: true)
    }
  }
}
