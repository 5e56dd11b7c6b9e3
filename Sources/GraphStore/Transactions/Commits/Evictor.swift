import GraphJSON
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

/// Deletes a share of the entities from the file: first those that are older than their type
/// allows, then the least recently used. A connection is deleted as a whole, or with its owner.
/// Objects that are reachable from the roots stay.
///
/// Links to deleted objects stay too: a query that needs one is incomplete and is sent to the
/// network.
struct EvictionCycle {
  private enum Phase {
    case starting
    /// Follows the links from the roots.
    case marking([GraphQL.EntityKey])
    /// Reads the times of all rows, to find the limit.
    case surveying(after: Int64, times: [Int64])
    /// Goes through the rows again and deletes.
    case sweeping(after: Int64, limit: Int64)
    case over
  }

  /// The maximum number of records, and of rows, that one step reads.
  static let stepSize = 256

  private let share: Double
  private var phase: Phase
  private var marked: Set<GraphQL.EntityKey>

  /// - Parameter share: the share of the entities to delete, from 0 to 1.
  init(roots: Set<GraphQL.EntityKey>, share: Double) {
    self.share = share
    marked = roots
    phase = .starting
  }

  var isOver: Bool { if case .over = phase { true } else { false } }

  mutating func step(_ transaction: Graph.Transaction) throws(Graph.StoreError) {
    switch phase {
    case .starting:
      // An edit of a list adds only an object that is stored.
      marked.formUnion(try transaction.insertedObjects())
      phase = .marking(Array(marked))
    case .marking(let frontier): phase = try mark(frontier, transaction)
    case .surveying(let last, let times): phase = try survey(last, times, transaction)
    case .sweeping(let last, let limit): phase = try sweep(last, limit, transaction)
    case .over: break
    }
  }

  private mutating func mark(
    _ frontier: [GraphQL.EntityKey], _ transaction: Graph.Transaction
  ) throws(Graph.StoreError) -> Phase {
    var frontier = frontier
    for _ in 0..<Self.stepSize {
      guard let key = frontier.popLast() else { return .surveying(after: 0, times: []) }
      // A root of queries leads to everything that was ever selected.
      guard !key.key.isEmpty, let json = try transaction.record(key) else { continue }
      var targets = json.links(in: JSONDocument.rootIndex)
      if key.isOfConnection {
        let connection = ConnectionKey(head: key)
        targets += ConnectionHead(json, typeName: "").pageNumbers.map(connection.page)
        // Deleting the owner would delete the connection as well.
        if let owner = connection.owner { marked.insert(owner) }
      }
      for target in targets where marked.insert(target).inserted { frontier.append(target) }
    }
    return .marking(frontier)
  }

  private func survey(
    _ last: Int64, _ times: [Int64], _ transaction: Graph.Transaction
  ) throws(Graph.StoreError) -> Phase {
    let rows = try rows(after: last, transaction)
    let times = times + rows.filter(isEvictable).map(\.time)
    if rows.count == Self.stepSize, let last = rows.last?.id {
      return .surveying(after: last, times: times)
    }
    let count = Int((Double(times.count) * share).rounded(.up))
    guard count > 0 else { return .over }
    return .sweeping(after: 0, limit: times.sorted()[min(count, times.count) - 1])
  }

  private func sweep(
    _ last: Int64, _ limit: Int64, _ transaction: Graph.Transaction
  ) throws(Graph.StoreError) -> Phase {
    let rows = try rows(after: last, transaction)
    var last = last
    var isThrough = rows.count < Self.stepSize
    for row in rows {
      // A deleted entity may have connections, or be one, with any number of rows.
      guard transaction.changed.count < Self.stepSize else {
        isThrough = false
        break
      }
      last = row.id
      guard row.time <= limit, isEvictable(row) else { continue }
      if row.key.isOfConnection {
        try ConnectionWriter(
          key: ConnectionKey(head: row.key), typeName: "", transaction: transaction
        ).removeAll()
      } else {
        let state = try transaction.entityState(of: row.key)
        // The base of an entity that a queued operation changes is needed if the operation fails.
        if state.overlay == nil { try transaction.remove(state) }
      }
    }
    try transaction.connection?.run(.givePagesBackSlowly)
    return isThrough ? .over : .sweeping(after: last, limit: limit)
  }

  private func isEvictable(_ row: Row) -> Bool {
    !row.isPart && !row.key.key.isEmpty && !marked.contains(row.key)
  }

  private struct Row {
    let id: Int64
    let key: GraphQL.EntityKey
    /// Whether it is a row of a connection that is deleted with the head: a list with holes is
    /// useless.
    let isPart: Bool
    /// The time of its last use; 0 if it is older than its type allows.
    let time: Int64
  }

  private func rows(
    after last: Int64, _ transaction: Graph.Transaction
  ) throws(Graph.StoreError) -> [Row] {
    guard let connection = transaction.connection else { return [] }
    let committed = transaction.committed
    let now = committed.now()
    let statement = try connection.prepared(.rowsAfter)
    statement.bind(last, at: 1)
    statement.bind(Int64(Self.stepSize), at: 2)
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() {
      let key = GraphQL.EntityKey(typeName: statement.text(1), key: statement.text(2))
      let arrival = statement.integer(3)
      let age = Duration.milliseconds(now - arrival)
      let isExpired = committed.policies.policy(ofType: key.typeName).maximumAge.map { age >= $0 }
      // A time in the future was written before the clock was set back.
      let uses = [arrival, committed.uses?.time(of: key) ?? 0]
        .filter { $0 - now <= Freshness.correction }
      let time = isExpired == true ? 0 : uses.max() ?? 0
      rows.append(
        Row(id: statement.integer(0), key: key, isPart: statement.integer(4) == 0, time: time))
    }
    return rows
  }
}
