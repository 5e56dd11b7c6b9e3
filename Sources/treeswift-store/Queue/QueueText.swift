import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime

/// The queue as text and as JSON. The contents of operations are not a part of it.
enum QueueText {
  static func lines(_ queue: InspectedQueue, at now: Graph.Timestamp) -> [String] {
    let operations = table(
      queue.operations.map { operation in
        [
          operation.state, operation.id, operation.entity, operation.name,
          age(of: operation.created, at: now).brief, details(operation, at: now),
        ].map(\.printable)
      })
    let receipts = table(
      queue.receipts.map { receipt in
        [
          receipt.state, receipt.operation, receipt.entity, receipt.name,
          age(of: receipt.finished, at: now).brief, receipt.reason?.description ?? "",
        ].map(\.printable)
      })
    return operations + ["\(operations.count) queued"] + receipts + ["\(receipts.count) ended"]
  }

  /// Attempts, when the next one is due, or why there is none.
  static func details(_ operation: InspectedOperation, at now: Graph.Timestamp) -> String {
    var parts = [operation.attempts == 1 ? "1 attempt" : "\(operation.attempts) attempts"]
    if let delay = operation.delay(at: now.uptime) {
      parts.append(delay == .zero ? "due now" : "due in \(delay.brief)")
    }
    for predecessor in operation.predecessors {
      parts.append("\(predecessor.isNeeded ? "needs" : "after") \(predecessor.id)")
    }
    if let reason = operation.reason { parts.append("\(reason)") }
    if !operation.successors.isEmpty {
      parts.append("before \(operation.successors.joined(separator: " "))")
    }
    return parts.joined(separator: ", ")
  }

  static func json(_ operation: InspectedOperation, at now: Graph.Timestamp) -> JSON.Object {
    var object: JSON.Object = [
      "operation": .string(operation.id), "state": .string(operation.state),
      "entity": .string(operation.entity), "name": .string(operation.name),
      "attempts": JSON(operation.attempts), "created": date(operation.created),
    ]
    if let delay = operation.delay(at: now.uptime) {
      object["dueInMilliseconds"] = JSON(Int(delay / .milliseconds(1)))
    }
    if let reason = operation.reason { object["reason"] = .string("\(reason)") }
    object["needs"] = .array(
      operation.predecessors.filter(\.isNeeded).map { .string($0.id) })
    object["after"] = .array(
      operation.predecessors.filter { !$0.isNeeded }.map { .string($0.id) })
    object["before"] = .array(operation.successors.map { .string($0) })
    return object
  }

  static func json(_ receipt: InspectedReceipt) -> JSON.Object {
    var object: JSON.Object = [
      "receipt": .string(receipt.operation), "state": .string(receipt.state),
      "entity": .string(receipt.entity), "name": .string(receipt.name),
      "finished": date(receipt.finished),
    ]
    if let reason = receipt.reason { object["reason"] = .string("\(reason)") }
    return object
  }

  static func age(of milliseconds: Int64, at now: Graph.Timestamp) -> Duration {
    max(now.wall - .milliseconds(milliseconds), .zero)
  }

  private static func date(_ milliseconds: Int64) -> JSON {
    .string(Date(timeIntervalSince1970: Double(milliseconds) / 1000).rfc3339)
  }
}
