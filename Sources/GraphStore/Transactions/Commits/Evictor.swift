import GraphQLRuntime

/// Keeps a store's file within its budget: starts a cycle of eviction when the file exceeds it, and
/// lets the writer do one step after each commit.
// Safe: only used on the writer's queue.
final class Evictor: @unchecked Sendable {
  private let budget: Int
  private let roots: @Sendable () -> Set<GraphQL.EntityKey>
  private var cycle: EvictionCycle?
  /// The size before the cycle.
  private var startSize = 0
  /// The size after a cycle that has freed nothing. Another cycle is useless until the file is larger.
  /// 0 after any other cycle, which another one may follow.
  private var uselessBelowSize = 0

  /// - Parameters:
  ///   - budget: in bytes.
  ///   - roots: the objects to keep, with all that they lead to.
  init(budget: Int, roots: @escaping @Sendable () -> Set<GraphQL.EntityKey>) {
    self.budget = budget
    self.roots = roots
  }

  /// Whether there is a step to do.
  ///
  /// - Parameter size: the size of the file's used pages, in bytes.
  func needsStep(_ size: Int) -> Bool {
    if cycle != nil { return true }
    uselessBelowSize = min(uselessBelowSize, size)
    guard size > budget, uselessBelowSize == 0 || size > uselessBelowSize + budget / 16 else {
      return false
    }
    startSize = size
    // A tenth below the budget, so that not every commit starts a cycle.
    cycle = EvictionCycle(roots: roots(), share: 1 - Double(budget) * 0.9 / Double(size))
    return true
  }

  /// One bounded step. Other writes can run between the steps.
  func step(_ transaction: Graph.Transaction) throws(Graph.StoreError) {
    guard var current = cycle else { return }
    cycle = nil
    try current.step(transaction)
    if current.isOver {
      let size = try transaction.connection?.usedBytes() ?? 0
      uselessBelowSize = size < startSize ? 0 : size
    } else {
      cycle = current
    }
  }
}
