import GraphQLCodeGen
import GraphQLSchema
import Testing

/// The Swift names of operations, fragments and what is in them.
@Suite struct OperationNameTests {
  private func declarations(
    _ document: String, configuration: Configuration = Configuration(namespace: "Zoo"),
    sdl: String? = nil
  ) throws -> [String] {
    let generation = try OperationGeneration(document, configuration: configuration, sdl: sdl)
    #expect(generation.errors.isEmpty, "\(generation.output.diagnostics)")
    return generation.declarations
  }

  @Test func operationsEndWithTheirKind() throws {
    let declarations = try declarations(
      """
      query people { people { id } }
      query GetPeopleQuery { people { id } }
      mutation SetPhoto($photo: Upload!) { setPhoto(id: 1, photo: $photo) { id } }
      subscription visitors { visitors(zoo: 1) { id } }
      fragment personCard on Person { id }
      """)
    for head in [
      "struct PeopleQuery: GraphQL.TypedQuery {", "struct GetPeopleQuery: GraphQL.TypedQuery {",
      "struct SetPhotoMutation: GraphQL.TypedMutation {",
      "struct VisitorsSubscription: GraphQL.TypedSubscription {",
      "struct PersonCard: GraphQL.TypedFragment, Hashable, Identifiable {",
    ] {
      #expect(declarations.contains("nonisolated public \(head)"), "\(head)")
    }
  }

  @Test func propertiesFollowTheRulesOfBuilders() throws {
    let configuration = Configuration(
      namespace: "Zoo", acronyms: ["url"],
      rename: [.member(type: "Thing", name: "old_name"): Located("newName")])
    let sdl = """
      type Query { thing: Thing! }
      type Thing { image_url: String! old_name: String! in: Int! class: Int! init: Int! self: Int! }
      """
    let generation = try OperationGeneration(
      "query Q { thing { image_url old_name in class init self my_url: image_url for: in } }",
      configuration: configuration, sdl: sdl)
    #expect(
      generation.accessors("QQuery.Data.Thing") == [
        "imageURL: String { string(0) }", "newName: String { string(1) }", "`in`: Int { int(2) }",
        "`class`: Int { int(3) }", "init_: Int { int(4) }", "self_: Int { int(5) }",
        "my_url: String { string(6) }", "`for`: Int { int(7) }",
      ])
  }

  @Test func listsHaveTheSingularOfTheirName() throws {
    let sdl = """
      type Query {
        nodes: [A] categories: [A] addresses: [A] statuses: [A] boxes: [A] series: [A] data: [A]
        news: A movies: [A]
      }
      type A { a: Int }
      """
    let declarations = try declarations(
      """
      query Q {
        nodes { a } categories { a x: a } addresses { b: a } statuses { c: a } boxes { d: a }
        series { e: a } data { f: a } news { g: a } movies { h: a }
      }
      """, sdl: sdl)
    let structs = declarations.compactMap { line -> Substring? in
      let words = line.split { $0 == " " || $0 == ":" }
      return words.firstIndex(of: "struct").map { words[$0 + 1] }
    }
    #expect(
      structs == [
        "QQuery", "Data", "Node", "Category", "Address", "Status", "Box", "Series", "Data_", "News",
        "Movie",
      ])
  }

  /// The compiler's time would double for each type around a nested type of one of these names.
  @Test func nestedTypesAreNotCalledOptionalOrArray() throws {
    let declarations = try declarations(
      "query Q { optional { array { a } } }",
      sdl: "type Query { optional: B } type B { array: [C!] } type C { a: Int }")
    #expect(
      declarations.contains {
        $0.hasPrefix("nonisolated public struct Optional_: ")
      })
    #expect(
      declarations.contains { $0.hasPrefix("nonisolated public struct Array_: ") })
  }

  @Test func propertiesHideNoNamespace() throws {
    let generation = try OperationGeneration(
      """
      fragment F on Query { GraphQL: a Zoo: a }
      query Q($GraphQL: Int) { b(c: $GraphQL) }
      """, sdl: "type Query { a: Int! b(c: Int): Int! }")
    #expect(
      generation.accessors("F") == ["GraphQL_: Int { int(0) }", "Zoo_: Int { int(1) }"])
    #expect(generation.text.contains("init(GraphQL GraphQL_: Int? = nil)"))
  }

  @Test func typesOfScalarsAreNotHidden() throws {
    var configuration = Configuration(namespace: "Zoo")
    configuration.scalars = [
      "Bytes": Located(.custom(type: "Data", module: "Foundation")),
      "Money": Located(.custom(type: "Money", module: "MoneyKit")),
      "Weight": Located(.custom(type: "Weight", module: nil)),
    ]
    let sdl = """
      type Query { bytes(of: Bytes): Bytes! money: Money weight: Weight } scalar Bytes scalar Money
      scalar Weight
      """
    let generation = try OperationGeneration(
      [
        "a.graphql":
          "fragment Money on Query { bytes money } query Q($of: Bytes) { bytes(of: $of) weight }"
      ], configuration: configuration, sdl: sdl, schemaModule: "ZooAPI")
    #expect(
      generation.accessors("Money") == [
        "bytes: Foundation.Data { value(0) }", "money: MoneyKit.Money? { valueOpt(1) }",
      ])
    #expect(
      generation.accessors("QQuery.Data") == [
        "bytes: Foundation.Data { value(0) }", "weight: Weight? { valueOpt(1) }",
      ])
    #expect(generation.text.contains("of: Foundation.Data?"))
    let clash = try OperationGeneration(
      "fragment Weight on Query { bytes }", configuration: configuration, sdl: sdl)
    #expect(clash.findings == ["a.graphql:1:10: error: ReservedTypeName"])
  }

  private static let prices = "type Query { id: Int! price: Cash } scalar Cash"

  private func prices(
    _ document: String, type: String = "Money", namespace: String = "Zoo",
    operations: String? = nil, schemaModule: String? = nil
  ) throws -> OperationGeneration {
    let configuration = Configuration(
      namespace: namespace, scalars: ["Cash": Located(.custom(type: type, module: "Kit"))],
      operations: OperationOptions(namespace: operations.map { Located($0) }))
    return try OperationGeneration(
      ["a.graphql": document], configuration: configuration, sdl: Self.prices,
      schemaModule: schemaModule)
  }

  /// The code of the schema does not spell the type with its module.
  @Test func theCodeOfTheSchemaNamesTypesOfScalars() throws {
    let reserved = "a.graphql:1:10: error: ReservedTypeName"
    let document = "fragment Money on Query { price } query Q { ...Money }"
    #expect(try prices(document).findings == [reserved])
    #expect(try prices(document, type: "Money.Amount").findings == [reserved])
    #expect(try prices(document, schemaModule: "ZooAPI").findings == [])
    // In a namespace, the fragment hides nothing in that code, but the namespace may.
    #expect(try prices(document, operations: "Park").findings == [])
    #expect(
      try prices(document).errors.first?.suggestion
        == "Rename it, or set a namespace with `operations` in the configuration.")
    let query = "query Q { price }"
    #expect(try prices(query, operations: "Money").findings == ["error: InvalidNamespace"])
    #expect(try prices(query, operations: "Money", schemaModule: "ZooAPI").findings == [])
  }

  @Test func documentsNameTheModulesOfScalars() throws {
    for schemaModule in [nil, "ZooAPI"] {
      let kit = try prices("fragment Kit on Query { price }", schemaModule: schemaModule)
      #expect(kit.findings.first == "a.graphql:1:10: error: ReservedTypeName")
      #expect(kit.errors.first?.suggestion == "Rename it.")
      #expect(
        try prices("query Q { price }", operations: "Kit", schemaModule: schemaModule).findings
          == ["error: InvalidNamespace"])
      // The namespace of the schema would hide the module.
      let hidden = try prices("query Q { price }", namespace: "Kit", schemaModule: schemaModule)
      #expect(hidden.findings == [])
      #expect(hidden.accessors("QQuery.Data") == ["price: Money? { valueOpt(0) }"])
      #expect(
        try prices(
          "fragment Money on Query { price }", namespace: "Kit", schemaModule: schemaModule
        ).findings.first == "a.graphql:1:10: error: ReservedTypeName")
    }
  }

  /// The compiler warns of a public import of a module that no public declaration names.
  @Test func aFragmentWithTheNameOfATypeDoesNotImportItsModulePublicly() throws {
    func imports(_ fields: String) throws -> [Substring] {
      let generation = try prices(
        "fragment Money on Query { \(fields) } query Q { ...Money }", schemaModule: "ZooAPI")
      return generation.text.split(separator: "\n").filter { $0.contains("import ") }
    }
    #expect(try imports("id") == ["public import GraphQLRuntime", "import Kit", "import ZooAPI"])
    #expect(
      try imports("price") == [
        "public import GraphQLRuntime", "public import Kit", "import ZooAPI",
      ])
  }

  /// Both are types in the struct of every operation.
  @Test(arguments: ["Data", "Response"])
  func typesOfOperationsHideNoOthers(name: String) throws {
    let fragment = try OperationGeneration(
      "fragment \(name) on Query { weight }", sdl: Self.weights)
    #expect(fragment.findings == ["a.graphql:1:10: error: ReservedTypeName"])

    var configuration = Configuration(namespace: "Zoo")
    configuration.scalars = ["Weight": Located(.custom(type: "\(name).Inner", module: nil))]
    let hidden = try OperationGeneration(
      "query Q { weight }", configuration: configuration, sdl: Self.weights)
    #expect(hidden.output.diagnostics.map(\.code) == ["HiddenScalarType"])
    #expect(
      hidden.output.diagnostics.first?.message
        == "Each operation has a type \"\(name)\", which hides the type of the scalar \"Weight\".")

    configuration.scalars = ["Weight": Located(.custom(type: name, module: "Kit"))]
    let qualified = try OperationGeneration(
      "query Q { weight }", configuration: configuration, sdl: Self.weights)
    #expect(qualified.accessors("QQuery.Data") == ["weight: Kit.\(name)? { valueOpt(0) }"])

    configuration.scalars = ["Weight": Located(.custom(type: "Mass", module: name))]
    let module = try OperationGeneration(
      "query Q { weight }", configuration: configuration, sdl: Self.weights)
    #expect(
      module.output.diagnostics.first?.message
        == "Each operation has a type \"\(name)\", which hides the module of the scalar \"Weight\"."
    )
  }

  private static let weights = "type Query { weight: Weight } scalar Weight"

  @Test func nestedTypesHideNoNameThatTheCodeMentions() throws {
    let sdl = """
      type Query { string: A int: A swift: A graphQL: A zoo: A qQuery: A card: A hashable: A Type: A }
      type A { a: Int s: String }
      """
    let declarations = try declarations(
      """
      query Q {
        string { a } int { s } swift { a s } graphQL { s a } zoo { x: a } qQuery { y: a }
        card { ...Card } hashable { z: a } Type { w: a }
      }
      fragment Card on A { a }
      """, sdl: sdl)
    for name in [
      "String_", "Int_", "Swift_", "GraphQL_", "Zoo_", "QQuery_", "Card_", "Hashable_", "Type_",
    ] {
      #expect(
        declarations.contains { $0.contains("public struct \(name): GraphQL.SelectedObject") },
        "\(name)")
    }
    #expect(declarations.contains("public var card: Card { _fields.one(0) }"))
  }

  @Test func aCapitalizedPropertyKeepsItsName() throws {
    let generation = try OperationGeneration(
      "query Q { Person: person(by: { id: 1 }) { id } }")
    #expect(
      generation.accessors("QQuery.Data") == ["Person: Person_? { oneOpt(0) }"])
  }

  @Test func fieldsComeBeforeFragmentsAndCases() throws {
    let generation = try OperationGeneration(
      """
      query Q { animal { ...Name ... on Dog { barks } asDog: size name } }
      fragment Name on Animal { name }
      """)
    #expect(
      generation.accessors("QQuery.Data.Animal") == [
        "name_: Name { one(1) }", "asDog_: AsDog? { oneOpt(2) }", "asDog: Int? { intOpt(3) }",
        "name: String { string(4) }",
      ])
  }

  @Test func fragmentsThatNeverApplyHaveNoAccessor() throws {
    let generation = try OperationGeneration(
      """
      query Q { search(text: "") { ...P ... on Dog { barks } ... on Person { id } } }
      fragment P on Person { id }
      """)
    #expect(
      generation.accessors("QQuery.Data.Search") == [
        "p: P? { oneOpt(1) }", "asDog: AsDog? { oneOpt(2) }", "asPerson: AsPerson? { oneOpt(3) }",
      ])
    // The slot exists.
    #expect(generation.accessors("QQuery.Data.Search.AsDog") == ["barks: Bool { bool(2) }"])
    #expect(
      generation.accessors("QQuery.Data.Search.AsPerson") == [
        "p: P { one(1) }", "id: GraphQL.ID { id(2) }",
      ])
  }

  @Test func theEnumOfCasesAvoidsAField() throws {
    let document = """
      query Q {
        search(text: "") {
          ... on Dog { barks }
          ... on Person { kind }
        }
        node(id: 1) { kind: __typename ... on Dog { barks } }
        animal { ... on Pet { name } ... on Dog { barks } }
      }
      """
    let declarations = try declarations(document)
    #expect(declarations.contains("public var kind: Kind {"))
    #expect(declarations.contains("public var typeKind: TypeKind {"))
    let generation = try OperationGeneration(document)
    #expect(
      generation.body("QQuery.Data.Search.Kind") == [
        "case dog(AsDog)", "case person(AsPerson)",
        "/// Another type, by its name in the schema.", "case other(String)",
      ])
    #expect(
      generation.body("QQuery.Data.Search.kind").isEmpty)
    // One of the conditions is an interface, so that several may apply.
    #expect(
      generation.accessors("QQuery.Data.Animal") == [
        "asPet: AsPet? { oneOpt(1) }", "asDog: AsDog? { oneOpt(2) }",
      ])
    #expect(generation.body("QQuery.Data.Animal.Kind").isEmpty)
  }

  @Test func equalSelectionsAreOneStruct() throws {
    let generation = try OperationGeneration(
      """
      query Q {
        a: person(by: { id: 1 }) { id best_friend { id name } }
        b: person(by: { id: 2 }) { id best_friend { id name } }
        c: person(by: { id: 3 }) { best_friend { id name } id }
        d: person(by: { id: 4 }) { name best_friend { id name } }
      }
      """)
    let declarations = generation.declarations.filter {
      $0.contains("struct") || $0.contains("typealias")
    }
    #expect(
      declarations == [
        "nonisolated public struct QQuery: GraphQL.TypedQuery {",
        "public typealias Response = Data",
        "nonisolated public struct Data: GraphQL.SelectedRoot, Hashable {",
        "nonisolated public struct A: GraphQL.SelectedObject, Hashable, Identifiable {",
        "nonisolated public struct BestFriend: GraphQL.SelectedObject, Hashable, Identifiable {",
        "public typealias B = QQuery.Data.A",
        // The order of the fields is that of the slots.
        "nonisolated public struct C: GraphQL.SelectedObject, Hashable, Identifiable {",
        "public typealias BestFriend = QQuery.Data.A.BestFriend",
        "nonisolated public struct D: GraphQL.SelectedObject, Hashable {",
        "public typealias BestFriend = QQuery.Data.A.BestFriend",
      ])
  }

  @Test func operationsAreInTheNamespace() throws {
    let generation = try OperationGeneration(
      ["Q.graphql": "query Q { people { id } }", "View.graphql": "fragment View on Person { id }"],
      configuration: Configuration(
        namespace: "Zoo", operations: OperationOptions(namespace: Located("Park"))))
    #expect(generation.errors.isEmpty)
    #expect(
      generation.output.files.map(\.name) == [
        "Park.operations.swift", "Q.graphql.swift", "View.graphql.swift",
      ])
    #expect(generation.declarations.first == "nonisolated public enum Park {}")
    #expect(generation.declarations.contains("nonisolated extension Park {"))
    #expect(
      generation.accessors("Park.QQuery.Data") == ["people: [Person] { list(0) }"])
  }

  @Test func accessIsThatOfTheConfiguration() throws {
    let declarations = try declarations(
      "query Q { people { id } }", configuration: Configuration(namespace: "Zoo", access: .internal)
    )
    #expect(declarations.isEmpty == false)
    #expect(!declarations.contains { $0.contains("public") })
  }

  @Test func filesHaveTheNamesOfTheirDocuments() {
    let pipeline = OperationsPipeline(configuration: Configuration())
    #expect(
      pipeline.fileNames(for: [
        "a/Card.graphql", "b/card.graphql", "c/Card.graphql", "List.graphql",
      ])
        == [
          "Card.graphql.swift", "card-2.graphql.swift", "Card-3.graphql.swift",
          "List.graphql.swift",
        ])
  }
}
