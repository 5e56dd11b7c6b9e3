import Foundation
import GraphQLCodeGen
import GraphQLSchema
import TestSupport
import Testing

@testable import graphql_generator

@Suite("stats")
struct StatsTests {
  let folder: TemporaryFolder
  let schema: String

  init() throws {
    folder = try TemporaryFolder()
    schema = try folder.write(
      """
      type Query { book(id: ID!, old: Int @deprecated): Book item: Item @deprecated node: Node }
      interface Node { id: ID! }
      type Book implements Node { id: ID! title: String! }
      type Shelf { name: String }
      union Item = Book | Shelf
      enum Genre { NOVEL POETRY @deprecated }
      input Filter { genre: Genre = NOVEL, old: Int @deprecated }
      scalar Money
      directive @cached(ttl: Int) on FIELD
      """, to: "schema.graphqls")
  }

  @Test func countsEveryKindOfDefinition() throws {
    let figures = SchemaFigures(
      try ServiceSchema.read([Source(name: "a", text: try folder.text("schema.graphqls"))]))
    #expect(figures.types == 8)
    #expect(figures.objects == 3)
    #expect(figures.interfaces == 1)
    #expect(figures.unions == 1)
    #expect(figures.enums == 1)
    #expect(figures.inputObjects == 1)
    #expect(figures.scalars == 1)
    #expect(figures.directives == 1)
    #expect(figures.fields == SchemaFigures.Count(all: 7, deprecated: 1))
    #expect(figures.arguments == SchemaFigures.Count(all: 2, deprecated: 1))
    #expect(figures.inputFields == SchemaFigures.Count(all: 2, deprecated: 1))
    #expect(figures.enumValues == SchemaFigures.Count(all: 2, deprecated: 1))
  }

  @Test func printsReadableText() throws {
    let run = ToolRun("stats", "--schema", schema)
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output.hasPrefix("Schema: 8 types\n  objects                3\n"))
    #expect(run.output.contains("\n  fields                 7, 1 deprecated\n"))
    #expect(run.output.contains("\nGenerated code:\n  files                  8\n"))
    #expect(run.output.contains("\n  compiling them takes about "))
    #expect(!run.output.contains("pruning"))
  }

  @Test func lineAndByteCountsEqualGeneratedFiles() throws {
    _ = ToolRun("generate", "--schema", schema, "--output", folder.path("Generated"))
    let texts = try folder.names(in: "Generated").map { try folder.text("Generated/\($0)") }
    let run = ToolRun("stats", "--schema", schema, "--json")
    let json = try object(run.output)
    let whole = try #require(json["whole"] as? [String: Any])
    #expect(whole["files"] as? Int == texts.count)
    #expect(whole["bytes"] as? Int == texts.reduce(0) { $0 + $1.utf8.count })
    #expect(whole["lines"] as? Int == texts.reduce(0) { $0 + $1.utf8.count { $0 == 0x0A } })
    #expect(json["pruned"] == nil)
    #expect((json["schema"] as? [String: Any])?["objects"] as? Int == 3)
  }

  @Test func showsPruningIfConfigured() throws {
    try folder.write("API.buildQuery { $0.book(id: i) { $0.title() } }", to: "App/a.swift")
    try folder.write(#"{ "pruning": { "usage": ["App"] } }"#, to: "graphql-generator.json")
    let run = ToolRun("stats", "--schema", schema)
    #expect(run.status == .success, "\(run.error)")
    #expect(
      run.output.contains("\nWith pruning: 3 of 7 fields and 2 of 7 types are kept\n"),
      "\(run.output)")
    let json = try object(ToolRun("stats", "--schema", schema, "--json").output)
    let pruned = try #require(json["pruned"] as? [String: Any])
    #expect(pruned["keptFields"] as? Int == 3)
    let kept = try #require((pruned["code"] as? [String: Any])?["functions"] as? Int)
    let whole = try #require((json["whole"] as? [String: Any])?["functions"] as? Int)
    #expect(kept < whole)
  }

  /// A builder and a reader for each of two fields, without anything that only resembles a
  /// function.
  @Test func countsGeneratedFunctions() throws {
    func functions(_ fields: String) throws -> Int {
      let schema = try ServiceSchema.read([Source(name: "a", text: "type Query { \(fields) }")])
      return CodeFigures(try GeneratorPipeline().run(schema).files).functions
    }
    let base = try functions("a: Int")
    #expect(try functions("a: Int b: Int") == base + 2)
    #expect(try functions(#"a: Int "func b() {" var: Int"#) == base + 2)
    #expect(try functions("a: Int func(var: Int): Int") == base + 3)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
