import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Documents that use the fragments of other modules.
@Suite struct ImportedFragmentTests {
  private static let cards = OperationsPipeline.Module(
    name: "Cards",
    documents: [
      Source(name: "Card.graphql", text: "fragment Card on Person { id ...Name }"),
      Source(name: "Name.graphql", text: "fragment Name on Person { name id }"),
      Source(
        name: "Other.graphql", text: "query Other { people { id } } fragment Bad on Dog { x }"),
    ])

  private func generate(
    _ document: String, _ imported: [OperationsPipeline.Module], schemaModule: String? = "ZooAPI"
  ) throws -> OperationGeneration {
    try OperationGeneration(
      ["a.graphql": document], imported: imported, schemaModule: schemaModule)
  }

  /// Types of operations, of Swift and of the schema have these names.
  @Test(arguments: ["Data", "Response", "Task", "Error", "String", "GraphQL", "Zoo"])
  func aModuleThatATypeHides(name: String) throws {
    let module = OperationsPipeline.Module(
      name: name, documents: [Source(name: "f.graphql", text: "fragment F on Person { id }")])
    let generation = try OperationGeneration(
      ["a.graphql": "query Q { people { ...F } }", "b.graphql": "query R { people { id } }"],
      imported: [module], schemaModule: "ZooAPI")
    #expect(generation.findings == ["a.graphql:1:23: error: HiddenModule"])
    // Other documents do not name the module.
    #expect(generation.output.files.map(\.name) == ["b.graphql.swift"])
  }

  @Test func theTypeIsThatOfItsModule() throws {
    let generation = try generate("query Q { people { ...Card } }", [Self.cards])
    #expect(generation.findings == [])
    #expect(generation.output.files.map(\.name) == ["a.graphql.swift"])
    #expect(
      generation.accessors("QQuery.Data.Person") == ["card: Cards.Card { one(0) }"])
    #expect(
      generation.output.operations.map(\.text) == [
        "query Q{people{...Card}}fragment Card on Person{id ...Name}fragment Name on Person{name id}"
      ])
    let imports = generation.text.split(separator: "\n").filter { $0.contains("import ") }
    // A public import of a module that no public declaration names is a warning.
    #expect(imports == ["public import Cards", "public import GraphQLRuntime", "import ZooAPI"])
  }

  @Test func modulesMayHaveANamespace() throws {
    var module = Self.cards
    module.namespace = "Deck"
    let generation = try generate("fragment F on Person { ...Card }", [module])
    #expect(generation.accessors("F") == ["card: Cards.Deck.Card { one(0) }"])
  }

  @Test func onlyModulesWithSpreadFragmentsAreImported() throws {
    let generation = try generate("query Q { people { id } }", [Self.cards], schemaModule: nil)
    #expect(generation.text.contains("import GraphQLRuntime"))
    #expect(!generation.text.contains("import Cards"))
  }

  @Test func ownFragmentsComeFirst() throws {
    let generation = try generate(
      "query Q { people { ...Name } } fragment Name on Person { id kind }", [Self.cards])
    #expect(generation.findings == [])
    #expect(
      generation.accessors("QQuery.Data.Person") == ["name: Name { one(0) }"])
  }

  @Test func twoFragmentsOfOneNameCannotBeSentTogether() throws {
    let generation = try generate(
      "query Q { people { ...Card } } fragment Name on Person { id kind }", [Self.cards])
    let error = try #require(generation.errors.first)
    #expect(generation.errors.count == 1 && error.code == "UniqueFragmentNames")
    // At the fragment that this module can rename.
    #expect(error.position?.source != "Name.graphql")
    #expect(error.notes.map(\.position?.source) == ["Name.graphql"])
    #expect(error.suggestion == "Rename the fragment of this module.")
    #expect(generation.output.files.isEmpty)
  }

  @Test func severalModulesMayHaveOneFile() throws {
    let shared = "fragment Name on Person { name id }"
    func module(_ name: String) -> OperationsPipeline.Module {
      let card = Source(
        name: "\(name).graphql", text: "fragment \(name) on Person { id ...Name }")
      return OperationsPipeline.Module(
        name: name + "UI", documents: [card, Source(name: "Name.graphql", text: shared)])
    }
    let generation = try generate("query Q { people { ...A ...B } }", [module("A"), module("B")])
    #expect(generation.findings == [])
    #expect(
      generation.accessors("QQuery.Data.Person") == ["a: AUI.A { one(0) }", "b: BUI.B { one(1) }"])
    let own = try OperationGeneration(
      ["a.graphql": "query Q { people { ...A ...Name } }", "Name.graphql": shared],
      imported: [module("A")], schemaModule: "ZooAPI")
    #expect(own.findings == [])
    #expect(
      own.accessors("QQuery.Data.Person") == ["a: AUI.A { one(0) }", "name: Name { one(1) }"])
  }

  @Test func aFragmentOfSeveralModulesIsAmbiguous() throws {
    let other = OperationsPipeline.Module(
      name: "Other",
      documents: [Source(name: "Second.graphql", text: "fragment Card on Person { id }")])
    let generation = try generate("query Q {\n  people { ...Card }\n}", [Self.cards, other])
    #expect(generation.findings == ["a.graphql:2:15: error: AmbiguousFragment"])
    #expect(
      generation.output.diagnostics.first?.notes.map { $0.position?.source } == [
        "Card.graphql", "Second.graphql",
      ])
  }

  /// An imported module depends on one of the others, and it is not known on which.
  @Test(arguments: [false, true])
  func aFragmentThatAnImportedOneSpreadsIsAmbiguous(usesOther: Bool) throws {
    func module(_ name: String, _ text: String) -> OperationsPipeline.Module {
      OperationsPipeline.Module(
        name: name, documents: [Source(name: "\(name).graphql", text: text)])
    }
    let modules = [
      module("Atom", "fragment Card on Person { id } fragment Own on Person { id ...Card }"),
      module("Kit", "fragment Card on Person { name id }"),
      module("Mid", "fragment Row on Person { id ...Card }"),
    ]
    let generation = try generate(
      "query Q { people { ...Row \(usesOther ? "...Own" : "") } }", modules)
    #expect(generation.findings.contains("Mid.graphql:1:32: error: AmbiguousFragment"))
    #expect(!generation.findings.contains { $0.hasPrefix("Atom") })
    #expect(generation.output.files.isEmpty)
    let alone = try generate("query Q { people { ...Own } }", modules)
    #expect(alone.findings == [] && alone.output.files.count == 1)
  }

  @Test func aFaultyFragmentOfAnotherModuleIsReportedIfItIsUsed() throws {
    let generation = try generate(
      "query Q { people { id } animal { ...Bad } }", [Self.cards])
    #expect(
      generation.findings == [
        "a.graphql:1:25: note: AddedKey", "a.graphql:1:37: error: FaultyFragment",
        "Other.graphql:1:53: error: KnownFields",
      ])
    #expect(generation.output.files.isEmpty)
  }

  @Test func unknownFragmentsAreReported() throws {
    let generation = try generate("query Q { people { ...Crd } }", [Self.cards])
    #expect(generation.findings == ["a.graphql:1:23: error: KnownFragments"])
  }
}
