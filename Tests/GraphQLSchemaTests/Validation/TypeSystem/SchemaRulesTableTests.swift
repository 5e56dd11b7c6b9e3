import Foundation
import Testing

@testable import GraphQLSchema

/// Documentation/Schemas.md lists each rule with its severity for clients.
@Suite struct SchemaRulesTableTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardized

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
  }

  /// The severities in the table, by code.
  private func table() throws -> [String: [String]] {
    var severities: [String: [String]] = [:]
    for line in try text("Documentation/Schemas.md").split(separator: "\n")
    where line.hasPrefix("| `") {
      let columns = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let rules = columns[0].split(separator: ":")[0]
      for code in rules.split(separator: "`") where code.first?.isUppercase == true {
        severities[String(code), default: []].append(columns[2])
      }
    }
    return severities
  }

  @Test func tableHasTheSeverityOfEachRule() throws {
    let table = try table()
    #expect(table.count > 45)
    for (code, severities) in table {
      #expect(severities == [SchemaRules.client.tolerate(code) ? "warning" : "error"], "\(code)")
    }
    #expect(SchemaRules.tolerated.isSubset(of: table.keys))
  }

  @Test func eachCodeOfTheSourcesIsInTheTable() throws {
    let table = try table()
    let sources = Self.package.appending(path: "Sources/GraphQLSchema/Validation")
    var paths = try FileManager.default.contentsOfDirectory(
      at: sources.appending(path: "TypeSystem"), includingPropertiesForKeys: nil)
    paths.append(sources.appending(path: "ValueChecker.swift"))
    var codes: Set<String> = []
    for path in paths {
      // A code is a literal of one capitalized word of at least two parts.
      let source = try String(contentsOf: path, encoding: .utf8)
      codes.formUnion(source.matches(of: /"([A-Z][a-z]+(?:[A-Z][A-Za-z]+)+)"/).map { String($0.1) })
    }
    #expect(codes.count > 40)
    #expect(codes.subtracting(table.keys) == [])
  }
}
