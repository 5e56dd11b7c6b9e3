import GraphQLCodeGen
import GraphQLSchema
import TestSupport
import Testing

@Suite struct DeterminismTests {
  @Test func outputIgnoresOrderOfTypes() throws {
    let definitions = [
      "directive @a(x: Sort) on FIELD", "directive @b on QUERY", "scalar DateTime",
      "interface Node { id: ID! }", "interface Named implements Node { id: ID! name: String }",
      "type Product implements Node & Named { id: ID! name: String at: DateTime }",
      "type ProductQuery { a: Int }", "type UnknownNode { a: Int }",
      "union Result = Product | Query", "union Other = Query | Product",
      "enum Sort { A B }", "enum sort { A }", "input I { a: Int }",
      "input J @oneOf { a: Int b: I }",
      "type Query { node: Node r(j: J, s: Sort): Result o: Other }",
    ]
    let expected = try Generation(
      definitions.joined(separator: "\n"), configuration: .asWritten
    ).output
    var random = SeededGenerator(seed: 42)
    for _ in 0..<20 {
      let shuffled = definitions.shuffled(using: &random).joined(separator: "\n")
      #expect(try Generation(shuffled, configuration: .asWritten).output == expected)
    }
  }

  @Test func outputIgnoresOrderOfInterfacesAndMembers() throws {
    let rest = "interface A { a: Int } interface B { a: Int } type Query { t: T u: U }"
    let first = try Generation("type T implements A & B { a: Int } union U = T | Query \(rest)")
    let second = try Generation("type T implements B & A { a: Int } union U = Query | T \(rest)")
    #expect(first.output == second.output)
  }
}
