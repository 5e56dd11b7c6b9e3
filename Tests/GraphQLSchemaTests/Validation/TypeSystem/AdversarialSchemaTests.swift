import GraphQLSchema
import Testing

/// Schemas that are written to be slow or to cause an overflow: they are read or refused, in
/// limited time.
@Suite struct AdversarialSchemaTests {
  private let query = "type Query { a: Int }\n"

  @Test func reportsLongInputObjectCycle() {
    let count = 5_000
    let inputs = (0..<count).map { "input I\($0) { a: I\(($0 + 1) % count)! = {} }" }
    let found = problems(in: query + inputs.joined(separator: "\n"))
    #expect(found.count == 2)
    #expect(found.contains { $0.contains("InputObjectCycles") })
    #expect(found.contains { $0.contains("DefaultValueCycles") })
  }

  @Test func acceptsLongChainOfOneOfInputs() {
    let count = 5_000
    let inputs = (0..<count).map { "input I\($0) @oneOf { a: I\($0 + 1) }" }
    #expect(
      problems(in: query + inputs.joined(separator: "\n") + "input I\(count) { a: Int }") == [])
  }

  @Test func limitsErrorsOfLongInterfaceChain() {
    let interfaces = (1..<2_000).map { "interface I\($0) implements I\($0 - 1) { a: Int }" }
    let found = problems(
      in: query + "interface I0 { a: Int }\n" + interfaces.joined(separator: "\n"))
    #expect(found.count == 1_001)
    #expect(found.last == "- tooMany: 998 more are not shown.")
  }

  @Test func reportsLongDirectiveCycle() {
    let count = 3_000
    let directives = (0..<count).map {
      "directive @d\($0)(a: Int @d\(($0 + 1) % count)) on ARGUMENT_DEFINITION"
    }
    #expect(
      problems(in: query + directives.joined(separator: "\n")) == [
        #"2:11 DirectiveDefinitionCycles: "@d0" cannot be used in its own definition."#
      ])
  }

  /// Every unknown name requires a search for suggestions among all names; the number of searches
  /// is limited.
  @Test func limitsErrorsForUnknownTypes() {
    let fields = (0..<5_000).map { "f\($0): Missing\($0)" }
    let types = (0..<5_000).map { "scalar Existing\($0)" }
    let found = problems(
      in: "type Query { \(fields.joined(separator: " ")) }\n" + types.joined(separator: "\n"))
    #expect(found.count == 1_001)
  }

  @Test func acceptsTypesWithManyFields() {
    let fields = (0..<20_000).map { "f\($0): Int" }.joined(separator: " ")
    #expect(problems(in: "type Query { \(fields) }\ninput I { \(fields) }") == [])
  }

  @Test func reportsAllProblemsInOneRun() {
    let found = problems(
      in: """
        type Query { a: Missing b(c: Query): Int @unknown }
        union U
        enum E
        input I { i: I! j: Int = "x" }
        type A implements Node { b: Int }
        interface Node { id: ID! }
        extend type Nothing { a: Int }
        """)
    #expect(
      found.map { $0.split(separator: ":", maxSplits: 2)[1].split(separator: " ")[1] } == [
        "KnownTypes", "InputValueTypes", "KnownDirectives", "MembersNonEmpty", "ValuesNonEmpty",
        "InputObjectCycles", "DefaultValues", "ImplementedFields", "ExtensionTargets",
      ])
  }

  @Test func warnsAboutDeprecationMissingInInterface() throws {
    let schema = try ServiceSchema(
      sdl: query + "interface I { a: Int }\ntype A implements I { a: Int @deprecated }")
    #expect(
      schema.warnings.map(summary) == [
        #"3:30 ImplementedDeprecation: "A.a" cannot be deprecated, because "I.a" is not."#
      ])
    #expect(schema.warnings.first?.severity == .warning)
  }

  @Test func warnsAboutRepeatedField() throws {
    let schema = try ServiceSchema(
      sdl: "type Query { a(b: Int = 1): Int \"again\" a(b: Int = 1): Int }")
    #expect(
      schema.warnings.map(summary) == [
        #"1:41 RepeatedFields: "Query" has more than one field "a"."#
      ])
    #expect(schema.queryType?.fields.count == 1)
  }
}
