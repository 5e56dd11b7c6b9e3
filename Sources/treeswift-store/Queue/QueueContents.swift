import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore

/// The queue of a file, for one run.
struct QueueContents {
  private let reader: FileReader

  init(_ file: URL) throws { reader = try FileReader(file: file) }

  func list(asJSON isJSON: Bool) throws -> Int32 {
    let queue = try reader.read(InspectedQueue.init)
    guard isJSON else {
      for line in QueueText.lines(queue, at: .now) { try Output.line(line) }
      return 0
    }
    for operation in queue.operations {
      try Output.line(.object(QueueText.json(operation, at: .now)))
    }
    for receipt in queue.receipts { try Output.line(.object(QueueText.json(receipt))) }
    return 0
  }

  func operation(_ id: String, showsValues: Bool, asJSON isJSON: Bool) throws -> Int32 {
    let found = try reader.read { contents throws(Graph.StoreError) -> OperationText? in
      guard let operation = try InspectedQueue(contents).operations.first(where: { $0.id == id })
      else { return nil }
      return OperationText(
        operation: operation, files: try InspectedQueue.files(of: operation, in: contents),
        showsValues: showsValues)
    }
    guard let found else {
      Output.error("treeswift-store: there is no operation \(id) in the queue".printable)
      return 1
    }
    guard !isJSON else {
      try Output.line(found.json(at: .now))
      return 0
    }
    for line in found.lines(at: .now) { try Output.line(line) }
    return 0
  }
}

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

/// The contents of one operation, as they are sent.
struct OperationText {
  let operation: InspectedOperation
  let files: [InspectedFile]
  /// Whether the values of variables are shown, which may be secret.
  let showsValues: Bool

  private var variables: JSON {
    showsValues ? operation.variables : operation.variables.withoutValues
  }

  func lines(at now: Graph.Timestamp) -> [String] {
    var lines = [
      "\(operation.name) \(operation.id) on \(operation.entity)",
      "\(operation.state), queued \(QueueText.age(of: operation.created, at: now).brief) ago, "
        + QueueText.details(operation, at: now),
      "idempotency key: \(operation.idempotencyKey)", "document:",
      "  \(operation.document)", "variables:",
    ].map(\.printable)
    var writer = JSONWriter(style: .indented(by: 2))
    writer.value(variables)
    lines += String(decoding: writer.finish(), as: UTF8.self).split(separator: "\n").map {
      "  \($0)"
    }
    if !files.isEmpty { lines.append("files:") }
    lines += files.map { file in
      let problem = file.problem.map { "; \($0)" } ?? ""
      return "  \(file.place): \(file.path) as \(file.name), \(file.contentType)\(problem)"
        .printable
    }
    return lines
  }

  func json(at now: Graph.Timestamp) -> JSON {
    var object = QueueText.json(operation, at: now)
    object["idempotencyKey"] = .string(operation.idempotencyKey)
    object["document"] = .string(operation.document)
    object["variables"] = variables
    object["files"] = .array(
      files.map { file in
        var object: JSON.Object = [
          "place": .string(file.place), "path": .string(file.path), "name": .string(file.name),
          "contentType": .string(file.contentType),
        ]
        if let problem = file.problem { object["problem"] = .string(problem) }
        return .object(object)
      })
    return .object(object)
  }
}

extension JSON {
  /// The same structure with `…` for each value that is not null.
  fileprivate var withoutValues: JSON {
    switch self {
    case .null: .null
    case .array(let elements): .array(elements.map(\.withoutValues))
    case .object(let object):
      .object(
        JSON.Object(
          object.members.map { JSON.Object.Member(key: $0.key, value: $0.value.withoutValues) }))
    default: "…"
    }
  }
}
