import Foundation
import GraphQLSchema

@testable import GraphQLCodeGen

/// The code for documents; tests read its declarations.
struct OperationGeneration {
  let output: OperationsPipeline.Output

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Reference")

  /// The schema of all tests about operations.
  static let zoo = Result {
    try ServiceSchema(sources: [
      Source(
        name: "schema.graphql",
        bytes: Array(try Data(contentsOf: folder.appending(path: "schema.graphql"))))
    ])
  }

  /// Generates code for documents by their names, in the order of these.
  init(
    _ documents: KeyValuePairs<String, String>,
    configuration: Configuration = Configuration(namespace: "Zoo"), sdl: String? = nil,
    imported: [OperationsPipeline.Module] = [], schemaModule: String? = nil
  ) throws {
    let schema = try sdl.map { try ServiceSchema(sdl: $0) } ?? Self.zoo.get()
    output = OperationsPipeline(configuration: configuration).run(
      schema, documents: documents.map { Source(name: $0.key, text: $0.value) },
      imported: imported, schemaModule: schemaModule)
  }

  /// Generates code for one document.
  init(
    _ document: String, configuration: Configuration = Configuration(namespace: "Zoo"),
    sdl: String? = nil
  ) throws {
    try self.init(["a.graphql": document], configuration: configuration, sdl: sdl)
  }

  var text: String { output.files.map(\.contents).joined() }

  /// The lines that declare something, without their indentation, comments and attributes.
  var declarations: [String] {
    text.split(separator: "\n").map { String($0.trimmed) }.filter {
      $0.hasPrefix("public ") || $0.hasPrefix("nonisolated ")
    }
  }

  /// The accessors of a struct by its path, such as `SearchQuery.Data.Search`: name, type and call.
  func accessors(_ path: String) -> [String] {
    body(path).compactMap { line in
      guard line.hasPrefix("public var "), line.hasSuffix(" }") else { return nil }
      return line.dropFirst("public var ".count).replacing("_fields.", with: "")
    }.map { String($0) }
  }

  /// The lines directly in a struct, without those of nested declarations.
  func body(_ path: String) -> [String] {
    var stack: [String] = []
    var lines: [String] = []
    for line in text.split(separator: "\n").map(\.trimmed) {
      if line.hasSuffix("{") {
        if stack.joined(separator: ".") == path { lines.append(String(line)) }
        let words = line.split { $0 == " " || $0 == ":" }
        let keyword = words.firstIndex { ["struct", "enum", "extension"].contains($0) }
        stack.append(keyword.map { String(words[$0 + 1]) } ?? "{")
      } else if line == "}" {
        stack.removeLast()
      } else if stack.joined(separator: ".") == path {
        lines.append(String(line))
      }
    }
    return lines
  }

  /// The findings as `name:line:column: severity: code`.
  var findings: [String] {
    output.diagnostics.map { finding in
      let place = finding.position.map { "\($0.source):\($0.line):\($0.column): " } ?? ""
      return "\(place)\(finding.severity.rawValue): \(finding.code)"
    }
  }

  var errors: [Diagnostic] { output.diagnostics.filter { $0.severity == .error } }
}
