#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import GraphQLSchema

/// The changes between two schemas, for people and for programs.
struct DiffReport {
  /// Sorted, the breaking ones first.
  let changes: [SchemaChange]
  /// Where Swift uses what the breaking changes are about; nil if nobody asked.
  let uses: [[SourceLine]]?

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
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  var json: String {
    get throws {
      let document = Document(
        breaking: count(.breaking), dangerous: count(.dangerous), safe: count(.safe),
        changes: changes.indices.map { index in
          let change = changes[index]
          return Document.Change(
            severity: change.severity.rawValue, kind: change.kind.rawValue,
            coordinate: change.coordinate?.description, subject: change.subject,
            message: change.message,
            uses: change.severity == .breaking ? uses.map { _ in places(index) } : nil)
        })
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(document), as: UTF8.self)
    }
  }

  /// `1 breaking, 0 dangerous, 3 safe changes`.
  private var summary: String {
    let counts = SchemaChange.Severity.allCases.map { "\(count($0)) \($0.rawValue)" }
    return counts.joined(separator: ", ") + " changes"
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

  private struct Document: Encodable {
    struct Change: Encodable {
      let severity: String
      let kind: String
      let coordinate: String?
      let subject: String?
      let message: String
      let uses: [SourceLine]?
    }

    let breaking: Int
    let dangerous: Int
    let safe: Int
    let changes: [Change]
  }
}
