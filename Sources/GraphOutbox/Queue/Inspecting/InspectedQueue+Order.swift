extension InspectedQueue {
  /// The earliest position of an operation in the order of sending. An operation has a later one than those for
  /// whose end it waits.
  private struct Position {
    /// Whether something other than time has to happen before it is sent.
    var isStopped = false
    /// The uptime in milliseconds at which it is due; negative if it was sent already.
    var time: Int64 = 0
    /// The number of operations that have to end one after the other before it is sent.
    var depth = 0

    mutating func move(after other: Position) {
      isStopped = isStopped || other.isStopped
      (time, depth) = (max(time, other.time), max(depth, other.depth + 1))
    }

    func key(_ seq: Int64) -> (Int, Int64, Int, Int64) { (isStopped ? 1 : 0, time, depth, seq) }
  }

  /// Those that are being sent, then by the time at which they are due, each after those for which it waits.
  /// Operations that wait for something other than time, and those that depend on them, are last.
  static func sendingOrder(_ operations: [InspectedOperation]) -> [InspectedOperation] {
    var positions: [String: Position] = [:]
    var waits: [String: Int] = [:]
    var byID: [String: InspectedOperation] = [:]
    for operation in operations {
      positions[operation.id] = Position(isStopped: operation.isStopped, time: time(of: operation))
      waits[operation.id] = operation.predecessors.count
      byID[operation.id] = operation
    }
    var known = operations.filter(\.predecessors.isEmpty)
    while let operation = known.popLast(), let position = positions[operation.id] {
      for successor in operation.successors {
        positions[successor]?.move(after: position)
        waits[successor, default: 0] -= 1
        if waits[successor] == 0, let next = byID[successor] { known.append(next) }
      }
    }
    // A cycle, which only a damaged file contains, is never sent.
    for (id, count) in waits where count > 0 { positions[id]?.isStopped = true }
    let keyed = operations.map { ($0, (positions[$0.id] ?? Position()).key($0.seq)) }
    return keyed.sorted { $0.1 < $1.1 }.map(\.0)
  }

  private static func time(of operation: InspectedOperation) -> Int64 {
    switch operation.state {
    case "delivered": -2
    case "inTransit": -1
    default: operation.ready ?? 0
    }
  }
}
