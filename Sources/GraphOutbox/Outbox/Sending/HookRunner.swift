import GraphClient
import GraphJSON
import GraphQLRuntime

/// Calls the program's hooks, or applies its rules, for an operation that cannot continue without a
/// decision.
struct HookRunner: Sendable {
  let queue: OutboxQueue
  let configuration: Graph.Outbox.Configuration
  let lock: OutboxLock

  /// Resolves a conflict by the rule of the object's type.
  func resolve(
    _ operation: QueuedOperation, _ reason: Graph.RejectionReason, response: String
  ) async throws {
    let rule = queue.rules.conflictRule(ofType: operation.entity.typeName)
    guard let conflict = try await queue.conflict(of: operation, response: response) else { return }
    let variables: JSON? = if let rule { await variables(for: conflict, by: rule) } else { nil }
    // The operation belongs to the next outbox.
    if lock.isReleased { return }
    guard let variables else {
      if try await queue.change({ try $0.reject(conflict, reason) }) { queue.forget(operation.id) }
      return
    }
    let delay = configuration.backoff.delay(
      after: operation.attempts, random: configuration.time.random())
    try await queue.change { try $0.resolve(conflict, with: variables, after: delay) }
  }

  /// The variables to send instead; nil when the server wins.
  private func variables(for conflict: Graph.Conflict, by rule: Graph.ConflictRule) async -> JSON? {
    switch rule.policy {
    case .serverWins: return nil
    case .retryLocal:
      guard let field = rule.versionField, let argument = rule.versionArgument,
        let version = conflict.current?[field]
      else { return conflict.variables }
      return MutationArgument(
        argument, in: conflict.document, conflict.variables, of: conflict.entity.key
      ).replacing(in: conflict.variables, with: version)
    case .merge(let merge): return try? await merge(conflict)
    }
  }

  /// Verifies an operation that may have been carried out.
  ///
  /// - Parameter decision: the decision if the program does not know either.
  func verification(of operation: QueuedOperation, or decision: AttemptDecision) async
    -> AttemptDecision
  {
    switch await configuration.verify?(Graph.UncertainOperation(operation)) {
    case .executed(let key): return .confirm(key: key?.rawValue)
    case .notExecuted:
      let delay = configuration.backoff.delay(
        after: operation.attempts, random: configuration.time.random())
      return .retry(after: delay, operation.refusals, isUndone: true)
    case .unknown, nil: return decision
    }
  }
}
