import GraphClient

/// Decides about an operation after an attempt.
struct AttemptDecider: Sendable {
  let backoff: Graph.Backoff
  /// The longest delay that a server may request.
  var maximumServerDelay = Duration.seconds(86_400)
  /// How long to wait for a busy server.
  var patience = Duration.seconds(7 * 86_400)

  /// - Parameters:
  ///   - attempts: the number of attempts, including this one.
  ///   - waited: how long it has waited for a busy server before.
  ///   - isDoubtful: whether an earlier attempt may have carried it out.
  ///   - isRepeatable: whether the server carries it out only once however often it is sent.
  ///   - random: from 0 up to 1.
  func decision(
    on outcome: AttemptOutcome, attempts: Int, refusals: RefusalCount, waited: Duration = .zero,
    isDoubtful: Bool = false, isRepeatable: Bool, random: Double
  ) -> AttemptDecision {
    var refusals = refusals
    func delay(_ requested: Duration?) -> Duration {
      requested.map { backoff.delay(requested: min($0, maximumServerDelay), random: random) }
        ?? backoff.delay(after: attempts, random: random)
    }
    switch outcome {
    case .success: return .deliver
    case .rejected(let reason): return .reject(reason)
    case .unauthenticated(let isRenewed):
      refusals.add(Graph.RejectionReason(code: "unauthenticated", message: ""))
      // A new token that is refused repeatedly does not count as new.
      return isRenewed && !refusals.hasReachedLimit
        ? .retry(after: delay(nil), refusals) : .awaitCredentials
    case .conflict(let reason):
      refusals.add(reason)
      return refusals.hasReachedLimit ? .reject(reason) : .resolve(reason, refusals)
    case .refused(let reason, let requested):
      refusals.add(reason)
      guard refusals.hasReachedLimit else { return .retry(after: delay(requested), refusals) }
      // The operation may have been carried out, and giving up does not undo that.
      return isDoubtful ? .markUncertain(reason, refusals) : .reject(reason)
    case .unreachable(let reason): return .wait(reason, .network, after: delay(nil))
    case .busy(let reason, let requested):
      guard waited < patience else {
        return isDoubtful ? .markUncertain(reason, refusals) : .reject(reason.gaveUp)
      }
      return .wait(reason, requested == nil ? .server : .requested, after: delay(requested))
    case .ambiguous(let reason, let requested):
      guard isRepeatable, waited < patience else { return .markUncertain(reason, refusals) }
      return .wait(
        reason, requested == nil ? .server : .requested, after: delay(requested), isDoubtful: true)
    }
  }
}

extension Graph.RejectionReason {
  /// Why an operation is rejected for which the server was always busy.
  var gaveUp: Graph.RejectionReason {
    Graph.RejectionReason(
      code: "gaveUp", message: "the operation waited too long for the server: \(self)")
  }
}

/// The decision about an operation after an attempt.
enum AttemptDecision: Sendable, Equatable {
  case deliver
  /// The program knows that it was carried out.
  ///
  /// - Parameter key: the server's key of the object that it created, if any.
  case confirm(key: String?)
  /// - Parameter isUndone: whether the program knows that no attempt has carried it out.
  case retry(after: Duration, RefusalCount, isUndone: Bool = false)
  /// The operation waits for the network or the server.
  ///
  /// - Parameter isDoubtful: whether it may nevertheless have been carried out.
  case wait(Graph.RejectionReason, Waiting, after: Duration, isDoubtful: Bool = false)
  case awaitCredentials
  case markUncertain(Graph.RejectionReason, RefusalCount)
  /// The rule for conflicts changes the operation, which is then retried, or rejects it.
  case resolve(Graph.RejectionReason, RefusalCount)
  case reject(Graph.RejectionReason)

  /// The resulting state of the operation.
  var state: Graph.OperationState {
    switch self {
    case .deliver: .delivered
    case .confirm: .received
    case .retry, .resolve: .pending
    case .wait: .waiting
    case .awaitCredentials: .awaitingCredentials
    case .markUncertain: .uncertain
    case .reject: .rejected
    }
  }
}

/// The cause of the wait of an operation that is `waiting`, as in the queue's table.
enum Waiting: Int64, Sendable {
  /// The network: the server has not received it. There is no time limit.
  case network = 1
  /// The server, which has not requested a specific delay.
  case server
  /// The server, which has requested the delay.
  case requested
}
