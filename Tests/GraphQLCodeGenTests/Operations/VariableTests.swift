import GraphQLCodeGen
import Testing

/// The initialisers of operations.
@Suite struct VariableTests {
  private func initializer(_ variables: String, _ fields: String) throws -> [String] {
    let generation = try OperationGeneration("query Q(\(variables)) { \(fields) }")
    #expect(generation.errors.isEmpty, "\(generation.output.diagnostics)")
    let lines = generation.text.split(separator: "\n").map { String($0.trimmed) }
    guard let start = lines.firstIndex(where: { $0.hasPrefix("public init(") }),
      let end = lines[start...].firstIndex(of: "}")
    else { return [] }
    return Array(lines[start..<end])
  }

  @Test func requiredVariablesHaveNoDefault() throws {
    #expect(
      try initializer("$id: ID!, $by: Choice!", "node(id: $id) { id } person(by: $by) { id }") == [
        "public init(id: GraphQL.ID, by: Zoo.Choice) {",
        "var variables = GraphQL.Variables(Data.self)", "variables._add(\"id\", id)",
        "variables._add(\"by\", by)", "_variables = variables",
      ])
  }

  @Test func variablesWithADefaultCanBeLeftOut() throws {
    #expect(
      try initializer("$first: Int! = 20", "animals(first: $first) { name }")[0]
        == "public init(first: Int? = nil) {")
  }

  @Test func nullableVariablesAreOptional() throws {
    #expect(
      try initializer(
        "$filter: PersonFilter, $sizes: [Int!] = [1], $name: String",
        "people(filter: $filter, sizes: $sizes) { id } animal(name: $name) { name }")[0]
        == "public init(filter: Zoo.PersonFilter? = nil, sizes: [Int]? = nil, name: String? = nil) {"
    )
  }

  @Test func keywordsAndNamesOfTheBodyAreChanged() throws {
    #expect(
      try initializer(
        "$in: ID!, $variables: ID!, $inout: ID!, $self: ID!",
        "a: node(id: $in) { id } b: node(id: $variables) { id } c: node(id: $inout) { id }"
          + " d: node(id: $self) { id }")
        == [
          "public init(", "in in_: GraphQL.ID,", "variables variables_: GraphQL.ID,",
          "`inout` inout_: GraphQL.ID,", "self self_: GraphQL.ID", ") {",
          "var variables = GraphQL.Variables(Data.self)", "variables._add(\"in\", in_)",
          "variables._add(\"variables\", variables_)", "variables._add(\"inout\", inout_)",
          "variables._add(\"self\", self_)", "_variables = variables",
        ])
  }

  @Test func uploadsAreVariables() throws {
    let generation = try OperationGeneration(
      "mutation M($id: ID!, $photo: Upload!) { setPhoto(id: $id, photo: $photo) { id } }")
    #expect(
      generation.text.contains("public init(id: GraphQL.ID, photo: GraphQL.Upload) {"))
  }

  @Test func operationsWithoutVariablesHaveAnEmptyInitializer() throws {
    let generation = try OperationGeneration("query Q { people { id } }")
    #expect(
      generation.text.contains(
        """
          public init() {
            _variables = GraphQL.Variables(Data.self)
          }
        """))
  }

  @Test func typesAndDefaultsAreDocumented() throws {
    let generation = try OperationGeneration(
      """
      "The animals of the zoo."
      query Q("How many." $first: Int! = 20, $name: String) {
        animals(first: $first) { name }
        animal(name: $name) { name size }
      }
      """)
    #expect(
      generation.text.contains(
        """
        /// The animals of the zoo.
        nonisolated public struct QQuery: GraphQL.TypedQuery {
        """))
    #expect(
      generation.text.contains(
        """
          /// Creates the query with its variables.
          ///
          /// - Parameter first: How many. `Int!`. Default: `20`.
          /// - Parameter name: `String`.
        """))
    #expect(
      generation.text.contains(
        """
              /// What visitors call it.
              public var name: String { _fields.string(1) }
        """))
  }

  @Test func deprecatedFieldsAreDeprecatedInSwift() throws {
    let generation = try OperationGeneration(
      "query Q { animal { ... on Dog { id weight } } }")
    #expect(
      generation.text.contains(
        """
                @available(*, deprecated, message: "Use `size`.")
                public var weight: Double? { _fields.doubleOpt(2) }
        """))
  }
}
