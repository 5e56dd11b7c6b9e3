import GraphQLCodeGen
import GraphQLSchema

/// The generated module for a schema; tests read its declarations.
struct Generation {
  let output: GeneratorPipeline.Output

  /// Generates code for a schema; a query root is added if there is none.
  ///
  /// - Parameters:
  ///   - source: Swift that uses the module, to prune it; nil keeps everything.
  ///   - document: a document that uses the module.
  init(
    _ sdl: String, configuration: Configuration = Configuration(namespace: "Shop"),
    usedBy source: String? = nil, document: String? = nil
  ) throws {
    let sdl =
      sdl.contains("type Query ") || sdl.contains("schema {")
      ? sdl : sdl + "\ntype Query { ok: Boolean }"
    let schema = try ServiceSchema(sdl: sdl, name: "schema.graphql")
    let usage = source.map { source in
      var words = SwiftIdentifiers()
      words.collect(from: Array(source.utf8))
      return words
    }
    output = try GeneratorPipeline(configuration: configuration).run(
      schema, usage: usage,
      documents: document.map {
        DocumentUses(
          [Source(name: "document.graphql", text: $0)], schema: schema,
          configuration: configuration)
      })
  }

  /// The fields that pruning kept.
  var keptFields: [String] { output.pruning?.keptFields ?? [] }

  /// The types that pruning kept.
  var keptTypes: [String] { output.pruning?.keptTypes ?? [] }

  var text: String { output.files.map(\.contents).joined() }

  func file(_ name: String) -> String? {
    output.files.first { $0.name == name }?.contents
  }

  /// The declaration that begins with these words, with its comments and attributes, not indented;
  /// nil if there is no such declaration.
  func declaration(_ head: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.trimmed.hasPrefix(head) }) else { return nil }
    let indent = lines[start].prefix { $0 == " " }
    var first = start
    while first > 0,
      lines[first - 1].trimmed.hasPrefix("///") || lines[first - 1].trimmed.hasPrefix("@")
    {
      first -= 1
    }
    var last = start
    if lines[start].hasSuffix("{") || lines[start].hasSuffix("(") {
      let ends: Set<Substring> = [indent + "}", indent + ")"]
      last = lines[start...].dropFirst().firstIndex { ends.contains($0) } ?? start
    }
    return lines[first...last].map { String($0.dropFirst(indent.count)) }.joined(separator: "\n")
  }

  /// The lines of the schema table.
  var table: [String] {
    let lines = text.split(separator: "\n").map(\.trimmed)
    guard let start = lines.firstIndex(of: "table: \"\"\""),
      let end = lines[start...].firstIndex(of: "\"\"\",")
    else { return [] }
    return lines[(start + 1)..<end].map(String.init)
  }
}

extension Substring {
  var trimmed: Substring { drop { $0 == " " } }
}

/// The diagnostics that a generation throws; empty if it succeeds.
func diagnostics(of body: () throws -> Void) throws -> [Diagnostic] {
  do {
    try body()
    return []
  } catch let error as Diagnostics {
    return error.elements
  }
}
