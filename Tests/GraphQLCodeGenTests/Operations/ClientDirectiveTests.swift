import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Directives that the configuration names in `clientDirectives`: they are checked, and never sent.
@Suite struct ClientDirectiveTests {
  private static let sdl = """
    directive @log(level: Level! = LOW, tags: [String!], limit: Float) repeatable
      on QUERY | FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION | VARIABLE_DEFINITION
    directive @sent on FIELD
    directive @map(to: Place) on FIELD
    directive @mark(with: Anything = { a: 1, b: 2, a: 3 }) on FIELD
    input Place { id: ID! points: [[Float!]!] = [[1]] level: Level = LOW extra: Anything }
    scalar Anything
    enum Level { LOW HIGH }
    type Query { item(id: Int): Item }
    type Item { name: String next: Item }
    """
  private static let configuration = Configuration(
    namespace: "Zoo", clientDirectives: [Located("log"), Located("map"), Located("mark")])

  private func generate(
    _ documents: KeyValuePairs<String, String>, imported: [OperationsPipeline.Module] = []
  ) throws -> OperationGeneration {
    try OperationGeneration(
      documents, configuration: Self.configuration, sdl: Self.sdl, imported: imported)
  }

  /// The JSON in the code.
  private func directives(_ generation: OperationGeneration) -> [String] {
    generation.text.split(separator: "\n").compactMap { line in
      guard let start = line.firstRange(of: "directives: \"") else { return nil }
      return String(line[start.upperBound...].dropLast(2).replacing("\\\"", with: "\""))
    }
  }

  @Test func operationsHaveThemAndServicesDoNot() throws {
    let generation = try generate([
      "a.graphql": """
      query Q($id: Int) @log {
        item(id: $id) @log(level: HIGH, tags: ["a", "\\"b\\""]) {
          ... @log(limit: -1.50e2) { title: name @sent @log(tags: null) @log }
          ...Part @log(tags: "one")
        }
      }
      fragment Part on Item @log(limit: 7) { next { name @log(tags: []) } }
      """
    ])
    #expect(generation.findings == [])
    #expect(
      generation.output.operations.map(\.text) == [
        """
        query Q($id:Int){item(id:$id){...{title:name@sent}...Part}}fragment Part on Item{next{name}}
        """
      ])
    #expect(
      directives(generation) == [
        [
          #"[["log",[],{"level":"LOW"}]"#,
          #"["log",["item"],{"level":"HIGH","tags":["a","\\"b\\""]}]"#,
          #"["log",["item"],{"level":"LOW","limit":-1.50e2}]"#,
          #"["log",["item","title"],{"level":"LOW","tags":null}]"#,
          #"["log",["item","title"],{"level":"LOW"}]"#,
          #"["log",["item"],{"level":"LOW","tags":["one"]}]"#,
          #"["log",["item"],{"level":"LOW","limit":7}]"#,
          #"["log",["item","next","name"],{"level":"LOW","tags":[]}]]"#,
        ].joined(separator: ",")
      ])
  }

  @Test func valuesAreThoseOfTheirTypes() throws {
    let generation = try generate([
      "a.graphql": """
      query Q {
        item @map(to: { id: 3, points: 2 }) {
          name @map(to: { id: "a", level: HIGH, extra: { x: [1, { y: E }] } })
        }
      }
      """
    ])
    #expect(generation.findings == [])
    #expect(
      directives(generation) == [
        [
          #"[["map",["item"],{"to":{"id":"3","points":[[2]],"level":"LOW"}}]"#,
          #"["map",["item","name"],{"to":{"id":"a","points":[[1]],"level":"HIGH","#
            + #""extra":{"x":[1,{"y":"E"}]}}}]]"#,
        ].joined(separator: ",")
      ])
  }

  /// The validation accepts them in the default of a scalar that takes any value.
  @Test func theLastOfEqualKeysIsUsed() throws {
    let generation = try generate(["a.graphql": "query Q { item { name @mark } }"])
    #expect(generation.findings == [])
    #expect(directives(generation) == [#"[["mark",["item","name"],{"with":{"a":3,"b":2}}]]"#])
  }

  @Test func variablesMayHaveThem() throws {
    let generation = try generate([
      "a.graphql": "query Q($id: Int @log) { item(id: $id) { name } }"
    ])
    #expect(generation.output.operations.map(\.text) == ["query Q($id:Int){item(id:$id){name}}"])
    #expect(directives(generation) == [#"[["log",["$id"],{"level":"LOW"}]]"#])
  }

  @Test func cyclesAreErrors() throws {
    let generation = try generate([
      "a.graphql": "query Q { item { ...F } }",
      "f.graphql": "fragment F on Item { next @log { ...F } }",
    ])
    #expect(
      generation.findings == [
        "a.graphql:1:21: error: FaultyFragment", "f.graphql:1:37: error: FragmentCycles",
      ])
  }

  /// The number of paths doubles with each fragment.
  @Test func thereIsALimit() throws {
    var text = "query Q { item { ...F0 } }"
    for number in 0..<40 {
      text +=
        " fragment F\(number) on Item { a: next { ...F\(number + 1) } b: next { ...F\(number + 1) } }"
    }
    text += " fragment F40 on Item { name @log }"
    let generation = try generate(["a.graphql": text])
    #expect(generation.findings == ["a.graphql:1:7: error: TooManyClientDirectives"])
  }

  @Test func onlyOperationsThatReachThemHaveThem() throws {
    let generation = try generate([
      "a.graphql": "query A { item { ...P } } query B { item { name } }",
      "p.graphql": "fragment P on Item { name @log }",
    ])
    #expect(
      directives(generation) == [#"[["log",["item","name"],{"level":"LOW"}]]"#])
    #expect(generation.text.split(separator: "struct BQuery")[0].contains("directives:"))
  }

  @Test func fragmentsOfOtherModulesMayHaveThem() throws {
    let cards = OperationsPipeline.Module(
      name: "Cards",
      documents: [Source(name: "p.graphql", text: "fragment P on Item { name @log }")])
    let generation = try generate(["a.graphql": "query A { item { ...P } }"], imported: [cards])
    #expect(
      generation.output.operations.map(\.text)
        == ["query A{item{...P}}fragment P on Item{name}"])
    #expect(directives(generation) == [#"[["log",["item","name"],{"level":"LOW"}]]"#])
  }

  @Test func theyAreValidated() throws {
    let generation = try generate([
      "a.graphql": "query A($n: Float) { item { name @log(limit: $n) } }",
      "b.graphql": "query B { item { name @log(lvel: HIGH) } }",
      "c.graphql": "query C { item { name @log(level: 3) } }",
      "d.graphql": "mutation D @log { x }",
      "e.graphql": "query E($tag: String!) { item { ...P } ...P2 }",
      "p.graphql":
        "fragment P on Item { name @log(tags: [$tag]) } fragment P2 on Query { item { ...P } }",
    ])
    #expect(
      generation.findings == [
        "a.graphql:1:46: error: ClientDirectiveVariable",
        "b.graphql:1:28: error: KnownArguments",
        "c.graphql:1:35: error: ArgumentValues",
        "d.graphql:1:10: error: OperationTypes",
        "d.graphql:1:12: error: DirectiveLocations",
        "e.graphql:1:36: error: FaultyFragment",
        "p.graphql:1:38: error: ClientDirectiveVariable",
      ])
    #expect(generation.output.files == [])
  }

  @Test func buildersDoNotHaveThem() throws {
    let module = try GeneratorPipeline(configuration: Self.configuration)
      .run(try ServiceSchema(sdl: Self.sdl))
    let text = module.files.map(\.contents).joined()
    #expect(text.contains("func sent()") && !text.contains("func log("))
  }

  @Test(arguments: [
    ("lgo", "UnknownDirective", "Did you mean \"log\"?"),
    (
      "zzzzzzzz", "UnknownDirective",
      "Define it in a file of the schema: \"directive @zzzzzzzz on QUERY\"."
    ),
    ("include", "BuiltInDirective", nil),
  ])
  func theSchemaDefinesThem(name: String, code: String, suggestion: String?) throws {
    let configuration = Configuration(namespace: "Zoo", clientDirectives: [Located(name)])
    let error = #expect(throws: Diagnostics.self) {
      try GeneratorPipeline(configuration: configuration).run(try ServiceSchema(sdl: Self.sdl))
    }
    #expect(error?.elements.map(\.code) == [code])
    #expect(error?.elements.first?.suggestion == suggestion)
  }
}
