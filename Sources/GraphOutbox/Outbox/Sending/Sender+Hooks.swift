import GraphClient
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
