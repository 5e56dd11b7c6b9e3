import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Errors in documents, with line and column, and the documents that are still generated.
@Suite struct OperationDiagnosticTests {
  private func findings(
    _ documents: KeyValuePairs<String, String>,
    configuration: Configuration = Configuration(namespace: "Zoo")
  ) throws -> (findings: [String], files: [String]) {
    let generation = try OperationGeneration(documents, configuration: configuration)
    return (generation.findings, generation.output.files.map(\.name))
  }

  @Test func onlyDocumentsWithoutErrorsAreGenerated() throws {
    let (findings, files) = try findings([
      "a.graphql": "query A {\n  people { id nam }\n}", "b.graphql": "query B { people { id } }",
      "c.graphql": "query C { people { id }", "d.graphql": "query D { animal { name } }",
    ])
    #expect(
      findings == [
        "a.graphql:2:15: error: KnownFields", "c.graphql:1:24: error: syntax",
        "d.graphql:1:11: note: AddedKey",
      ])
    #expect(files == ["b.graphql.swift", "d.graphql.swift"])
  }

  @Test func catchingTheErrorOfAFieldThatIsNeverNullIsAnError() throws {
    let (findings, files) = try findings([
      "a.graphql": "query A {\n  people @catch { id }\n}",
      "b.graphql": "query B { animals { ...C ... on Dog { owner @catch { kind @catch } } } }",
      "c.graphql": "fragment C on Animal { name @catch(to: NULL) size @catch }",
    ])
    #expect(
      findings == [
        "a.graphql:2:3: error: CatchOnNonNull", "b.graphql:1:54: error: CatchOnNonNull",
        "c.graphql:1:10: note: AddedKey",
      ])
    #expect(files == ["c.graphql.swift"])
  }

  @Test func catchHasAMeaningOnlyOnFields() throws {
    let documents: KeyValuePairs = [
      "a.graphql": """
      query A($yes: Boolean = true @catch) @catch {
        animals { name ...B @catch ... on Dog @catch { owner @catch { ...C } } }
        people @include(if: $yes) { id }
      }
      """,
      "b.graphql": "fragment B on Animal @catch { name }",
      "c.graphql": "fragment C on Person { id }",
    ]
    let (found, files) = try findings(documents)
    #expect(
      found.filter { $0.hasSuffix("MisplacedCatch") } == [
        "a.graphql:1:30: warning: MisplacedCatch", "a.graphql:1:38: warning: MisplacedCatch",
        "a.graphql:2:23: warning: MisplacedCatch", "a.graphql:2:41: warning: MisplacedCatch",
        "b.graphql:1:22: warning: MisplacedCatch",
      ])
    #expect(files.count == 3)
  }

  @Test(arguments: ["String", "Int", "Hashable", "Sendable", "StaticString", "Void", "Foundation"])
  func namespacesThatTheCodeNeedsAreErrors(name: String) throws {
    let (found, files) = try findings(
      ["a.graphql": "query A { people { id } }"],
      configuration: Configuration(
        namespace: "Zoo", operations: OperationOptions(namespace: Located(name))))
    #expect(found == ["error: InvalidNamespace"])
    #expect(files.isEmpty)
  }

  @Test func definitionsWithTooManyStructsAreErrors() throws {
    let fields = (0...20_000).map { "a\($0): people { id }" }.joined(separator: " ")
    let generation = try OperationGeneration("query A { \(fields) }")
    #expect(generation.findings == ["a.graphql:1:1: error: TooManyStructs"])
    #expect(
      generation.output.diagnostics.first?.message
        == "This definition, or a fragment that it uses, needs more than 20000 Swift structs.")
  }

  @Test func labelsOfOneOperationDiffer() throws {
    let part = "... @defer(label: \"a\") { name }"
    let (findings, files) = try findings([
      "a.graphql": "query A { animals { \(part) } }",
      "b.graphql": "query B { animals { \(part) ...C } }",
      "c.graphql": "fragment C on Animal { \(part) }",
      "d.graphql": "query D { animals { ...C ...C } }",
    ])
    #expect(
      findings.filter { $0.contains("error") }
        == [
          "c.graphql:1:42: error: IncrementalLabels", "b.graphql:1:56: error: FaultyFragment",
          "d.graphql:1:24: error: FaultyFragment",
        ].sorted())
    #expect(files == ["a.graphql.swift"])
  }

  @Test func documentsThatUseFaultyFragmentsAreFaulty() throws {
    let (findings, files) = try findings([
      "card.graphql": "fragment Card on Person { id nam }",
      "list.graphql": "fragment Rows on Query {\n  people { ...Card }\n}",
      "page.graphql": "query Page { ...Rows }\n\nquery Other { people { ...Card } }",
      "rest.graphql": "query Rest { people { id } }",
    ])
    #expect(
      findings == [
        "card.graphql:1:30: error: KnownFields", "list.graphql:2:15: error: FaultyFragment",
        "page.graphql:1:17: error: FaultyFragment",
      ])
    #expect(files == ["rest.graphql.swift"])
  }

  @Test func aMissingVariableIsAnErrorOfTheOperation() throws {
    let (findings, files) = try findings([
      "card.graphql": "fragment Card on Person { id pets(first: $count) { edges { cursor } } }",
      "good.graphql": "query Good($count: Int) { people { ...Card } }",
      "lack.graphql": "query Lack { people { ...Card } }",
      "type.graphql": "query Kind($count: String) { people { ...Card } }",
    ])
    #expect(
      findings == [
        "card.graphql:1:30: note: MissingPageInfo", "card.graphql:1:42: error: KnownVariables",
        "card.graphql:1:42: error: VariableUsages",
      ])
    #expect(files == ["card.graphql.swift", "good.graphql.swift"])
  }

  @Test func namesOfOperationsAndFragmentsAreUniqueInAllDocuments() throws {
    let (findings, files) = try findings([
      "a.graphql": "query A { people { id } }",
      "b.graphql": "query B { people { id } }\nquery A { people { id } }",
      "c.graphql": "fragment F on Person { id }", "d.graphql": "fragment F on Person { id }",
    ])
    #expect(
      findings == [
        "b.graphql:2:7: error: UniqueOperationNames", "d.graphql:1:10: error: UniqueFragmentNames",
      ])
    #expect(files == ["a.graphql.swift"])
  }

  @Test func anOperationNeedsAName() throws {
    let generation = try OperationGeneration([
      "a.graphql": "\n  { people { id } }",
      "b.graphql": "mutation($p: Upload!) {\n setPhoto(id: 1, photo: $p) { id } }",
    ])
    #expect(
      generation.findings == [
        "a.graphql:2:3: error: UnnamedOperation", "b.graphql:1:1: error: UnnamedOperation",
      ])
    #expect(
      generation.errors[0].suggestion == "Name it, as in `query ProductList { … }`.")
  }

  @Test func typesOfSwiftAndItsLibrariesAreNotHidden() throws {
    let (findings, files) = try findings([
      "a.graphql": "fragment View on Person { id }", "b.graphql": "fragment Zoo on Person { id }",
      "c.graphql": "fragment String on Person { id }",
      "d.graphql": "fragment date on Person { id }",
      "e.graphql": "fragment Result on Person { id }", "f.graphql": "query Get { people { id } }",
      "g.graphql": "query { __typename }",
    ])
    #expect(
      findings == [
        "a.graphql:1:10: error: ReservedTypeName", "b.graphql:1:10: error: ReservedTypeName",
        "c.graphql:1:10: error: ReservedTypeName", "d.graphql:1:10: error: ReservedTypeName",
        "e.graphql:1:10: error: ReservedTypeName", "g.graphql:1:1: error: UnnamedOperation",
      ])
    #expect(files == ["f.graphql.swift"])
    let generation = try OperationGeneration("fragment View on Person { id }")
    #expect(
      generation.output.diagnostics.first?.message
        == "The Swift type of this fragment cannot be called \"View\": SwiftUI has a type of this name."
    )
    #expect(
      generation.output.diagnostics.first?.suggestion
        == "Rename it, or set a namespace with `operations` in the configuration.")
  }

  @Test func aNamespaceAllowsTheNamesOfOtherLibraries() throws {
    let (findings, _) = try findings(
      [
        "a.graphql": "fragment View on Person { id }",
        "b.graphql": "fragment Park on Person { id }",
        "c.graphql": "fragment String on Person { id }",
      ],
      configuration: Configuration(
        namespace: "Zoo", operations: OperationOptions(namespace: Located("Park"))))
    #expect(
      findings == [
        "b.graphql:1:10: error: ReservedTypeName", "c.graphql:1:10: error: ReservedTypeName",
      ])
  }

  @Test func twoTypesOfOneNameAreAnError() throws {
    let generation = try OperationGeneration([
      "a.graphql": "query People { people { id } }",
      "b.graphql": "fragment PeopleQuery on Person { id }",
    ])
    #expect(generation.findings == ["b.graphql:1:10: error: DuplicateTypeName"])
    let first = try #require(generation.output.diagnostics.first?.notes.first?.position)
    #expect(first.source == "a.graphql")
    #expect((first.line, first.column) == (1, 7))
    #expect(generation.output.files.map(\.name) == ["a.graphql.swift"])
  }

  @Test func introspectionIsNotGenerated() throws {
    let (findings, _) = try findings([
      "a.graphql": "query A { people { id } __schema { types { name } } }"
    ])
    #expect(findings == ["a.graphql:1:25: error: IntrospectionField"])
  }

  @Test func elementsThatAreLeftOutCannotBeSelected() throws {
    let configuration = Configuration(
      namespace: "Zoo",
      deny: [
        Located(ListedElement(type: "Person", field: "birthday")),
        Located(ListedElement(type: "Whale")),
      ])
    let (findings, _) = try findings(
      [
        "a.graphql": "query A { people { id birthday } }",
        "b.graphql": "query B { animal { ... on Whale { depth id } } }",
        "c.graphql": "query C { animal { name } }",
      ], configuration: configuration)
    #expect(
      findings.filter { $0.contains("error") } == [
        "a.graphql:1:23: error: NotGenerated", "b.graphql:1:27: error: NotGenerated",
      ])
  }

  @Test func deprecatedFieldsAreWarnings() throws {
    let generation = try OperationGeneration("query Q { node(id: 1) { id ... on Dog { weight } } }")
    #expect(generation.findings == ["a.graphql:1:41: warning: DeprecatedField"])
    #expect(
      generation.output.diagnostics.first?.message
        == "\"Dog.weight\" is deprecated: Use `size`.")
    #expect(generation.output.files.count == 1)
  }

  @Test func aPageWithoutTheNextOneIsAWarning() throws {
    let (findings, files) = try findings([
      "a.graphql": """
      query Q($after: String) {
        people {
          id
          a: pets(after: $after) { edges { cursor } }
          b: pets(after: $after) { edges { cursor } pageInfo { endCursor } }
          c: pets(after: $after) { ...Pets }
          d: pets(after: "x") { edges { cursor } }
        }
      }
      fragment Pets on PetConnection { pageInfo { endCursor } }
      """
    ])
    #expect(
      findings == [
        "a.graphql:4:8: warning: MissingPageInfo", "a.graphql:7:8: note: MissingPageInfo",
      ])
    #expect(files.count == 1)
  }

  @Test func unusedFragmentsAreGenerated() throws {
    let (findings, files) = try findings(["a.graphql": "fragment F on Person { id }"])
    #expect(findings == [])
    #expect(files == ["a.graphql.swift"])
  }

  @Test func labelsMayBeEqualInDifferentOperations() throws {
    let (findings, _) = try findings([
      "a.graphql": """
      query A { people { id ... @defer(label: "x") { name } } }
      """,
      "b.graphql": """
      query B { people { id ... @defer(label: "x") { name } } }
      """,
    ])
    #expect(findings == [])
  }

  @Test func fieldsThatCannotBeMergedAreAnError() throws {
    let (findings, files) = try findings([
      "a.graphql": "query A {\n  people { id name: id name }\n}"
    ])
    #expect(findings == ["a.graphql:2:24: error: FieldMerging"])
    #expect(files == [])
  }

  @Test func theNamespaceOfOperationsIsChecked() throws {
    let source = Source(
      name: "c.json", text: #"{ "namespace": "Zoo", "operations": { "namespace": "Zoo" } }"#)
    let configuration = try Configuration(parsing: source)
    #expect(configuration.operations.namespace?.value == "Zoo")
    let generation = try OperationGeneration(
      ["a.graphql": "query A { people { id } }"], configuration: configuration)
    #expect(generation.findings == ["c.json:1:52: error: SameNamespace"])
    #expect(generation.output.files.isEmpty)
    #expect(throws: Diagnostics.self) {
      try Configuration(
        parsing: Source(name: "c.json", text: #"{ "operations": { "namespace": "class" } }"#))
    }
  }

  /// In a module, an enum of the module's own name, or of that of another one, hides the module.
  @Test(arguments: ["ZooUI", "ZooAPI", "Cards"])
  func theNamespaceIsNotTheNameOfAModule(_ name: String) throws {
    let configuration = Configuration(
      namespace: "Zoo", operations: OperationOptions(namespace: Located(name)))
    let output = OperationsPipeline(configuration: configuration).run(
      try OperationGeneration.zoo.get(),
      documents: [Source(name: "a.graphql", text: "query A { people { id } }")],
      imported: [OperationsPipeline.Module(name: "Cards", documents: [])], module: "ZooUI",
      schemaModule: "ZooAPI")
    #expect(output.diagnostics.map(\.code) == ["NamespaceOfModule"])
    #expect(output.files.isEmpty)
  }

  @Test func aTypeForOtherModulesDoesNotHideItsModule() throws {
    func codes(_ namespace: String?, exportsFragments: Bool) throws -> [String] {
      let configuration = Configuration(
        namespace: "Zoo", operations: OperationOptions(namespace: namespace.map { Located($0) }))
      return OperationsPipeline(configuration: configuration).run(
        try OperationGeneration.zoo.get(),
        documents: [Source(name: "a.graphql", text: "fragment Cards on Person { id }")],
        module: "Cards", exportsFragments: exportsFragments
      ).diagnostics.map(\.code)
    }
    #expect(try codes(nil, exportsFragments: true) == ["ReservedTypeName"])
    #expect(try codes(nil, exportsFragments: false) == [])
    #expect(try codes("Deck", exportsFragments: true) == [])
  }
}
