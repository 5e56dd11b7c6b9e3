import GraphJSON
import GraphQLComparison
import GraphQLSchema

/// The changes between two schemas, for people and for programs.
struct DiffReport {
  /// Sorted, the breaking ones first.
  let changes: [SchemaChange]
  /// Where Swift uses the elements of breaking changes; nil if this was not requested.
  let uses: [[SourceLine]]?
  /// The operations that the changes break; nil if this was not requested.
  var operations: BrokenOperations?

  /// A paragraph per severity, then the count.
  var text: String {
    var lines: [String] = []
    for severity in SchemaChange.Severity.allCases {
      guard changes.contains(where: { $0.severity == severity }) else { continue }
      lines.append("\(Self.title(severity)) changes:")
      for (index, change) in changes.enumerated() where change.severity == severity {
        lines.append("  \(Self.name(of: change)): \(change.message)")
        lines += places(index).map { "    \($0.file):\($0.line)" }
      }
      lines.append("")
    }
    lines += Self.lines("Broken operations", operations?.broken ?? [])
    lines += Self.lines(
      "Operations that are invalid for the older schema", operations?.invalid ?? [])
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  var json: JSON {
    var members: JSON.Object = [
      "breaking": JSON(count(.breaking)), "dangerous": JSON(count(.dangerous)),
      "safe": JSON(count(.safe)), "changes": .array(changes.indices.map(json)),
    ]
    if let operations {
      members["operations"] = .array(operations.broken.map(\.json))
      members["invalidOperations"] = .array(operations.invalid.map(\.json))
    }
    return .object(members)
  }

  private static func lines(_ title: String, _ operations: [BrokenOperation]) -> [String] {
    if operations.isEmpty { return [] }
    return ["\(title):"] + operations.flatMap(\.lines).map { "  \($0)" } + [""]
  }

  private func json(_ index: Int) -> JSON {
    let change = changes[index]
    var members: JSON.Object = [
      "severity": .string(change.severity.rawValue), "kind": .string(change.kind.rawValue),
    ]
    members["coordinate"] = change.coordinate.map { .string($0.description) }
    members["subject"] = change.subject.map(JSON.string)
    members["message"] = .string(change.message)
    if uses != nil, change.severity == .breaking {
      members["uses"] = .array(places(index).map(\.json))
    }
    return .object(members)
  }

  /// `1 breaking, 0 dangerous, 3 safe changes, 1 broken operation`.
  private var summary: String {
    let counts = SchemaChange.Severity.allCases.map { "\(count($0)) \($0.rawValue)" }
    var parts = [counts.joined(separator: ", ") + " changes"]
    if let operations {
      parts.append(counted(operations.broken.count, "broken operation"))
      if !operations.invalid.isEmpty {
        parts.append(counted(operations.invalid.count, "invalid operation"))
      }
    }
    return parts.joined(separator: ", ")
  }

  private func count(_ severity: SchemaChange.Severity) -> Int {
    changes.count { $0.severity == severity }
  }

  private func places(_ index: Int) -> [SourceLine] {
    guard let uses, index < uses.count else { return [] }
    return uses[index]
  }

  private static func title(_ severity: SchemaChange.Severity) -> String {
    severity.rawValue.prefix(1).uppercased() + severity.rawValue.dropFirst()
  }

  private static func name(of change: SchemaChange) -> String {
    change.coordinate?.description ?? "schema"
  }
}
