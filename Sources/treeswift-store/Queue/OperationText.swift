import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime

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
