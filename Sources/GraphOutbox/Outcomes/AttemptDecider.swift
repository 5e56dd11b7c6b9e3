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
