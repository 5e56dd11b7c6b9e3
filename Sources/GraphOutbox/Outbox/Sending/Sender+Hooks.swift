import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore

// The program's hooks occupy no slot: one that does not return delays only its own operation.
extension Sender {
  /// How long to wait for a hook. A later result still counts, unless the operation was retried or
  /// the outbox was closed.
  static let hookLimit = Duration.seconds(60)

  /// Verifies the operations of an earlier run of the program.
  func verify(_ leftovers: [QueuedOperation]) {
    for operation in leftovers {
      verify(
        Settlement(operation: operation, decision: .markUncertain(.interrupted, operation.refusals))
      )
    }
  }

  /// Verifies an operation before it becomes uncertain. It stays in transit until then.
  func verify(_ settlement: Settlement) {
    let decision = settlement.decision
    run(otherwise: settlement) {
      var settlement = settlement
      settlement.decision = await self.hookRunner.verification(
        of: settlement.operation, or: decision)
      await self.settle(settlement)
    } whenLate: {
      await self.settle(settlement)
    }
  }

  /// Resolves a conflict. The operation stays pending until then.
  func resolve(_ operation: QueuedOperation, _ reason: Graph.RejectionReason, response: String) {
    run(otherwise: nil) {
      try? await self.hookRunner.resolve(operation, reason, response: response)
    } whenLate: {
    }
  }

  /// Runs a hook, and `whenLate` if it takes too long.
  ///
  /// - Parameter settlement: written if the outbox ends before the hook.
  private func run(
    otherwise settlement: Settlement?, _ hook: @escaping @Sendable () async -> Void,
    whenLate: @escaping @Sendable () async -> Void
  ) {
    lastHook += 1
    let id = lastHook
    hooks[id] = .some(settlement)
    let timeout = Task { [time = configuration.time] in
      guard (try? await time.sleep(for: Self.hookLimit)) != nil, !Task.isCancelled else { return }
      await whenLate()
      await end(id)
    }
    Task {
      await hook()
      timeout.cancel()
      await end(id)
    }
  }

  private func end(_ hook: Int) async {
    hooks.removeValue(forKey: hook)
    await sendDue()
  }
}

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
