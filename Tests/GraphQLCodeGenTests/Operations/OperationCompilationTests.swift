import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Generated code for documents compiles against the runtime, without a warning.
@Suite struct OperationCompilationTests {
  private static let isBuilt = CompilationTests.isBuilt

  /// The code of the reference is compiled with the tests; here, it is compiled in other targets.
  @Test(
    .enabled(if: isBuilt, "the runtime has not been built for debugging in .build"),
    arguments: [
      ["-swift-version", "6", "-default-isolation", "MainActor"], ["-swift-version", "5"],
    ])
  func codeCompilesInEveryTarget(language: [String]) async throws {
    let user = """
      import GraphQLRuntime
      nonisolated func use(_ data: SearchQuery.Data, _ card: PersonCard) -> String {
        let query = PeopleQuery(first: 2, after: "x" as String?).null("filter")
        switch data.search[0].kind {
        case .dog(let dog): return dog.name + "\\(query)"
        case .cat(let cat): return cat.friend?.name ?? card.name
        case .other(let type): return type
        }
      }
      """
    #expect(
      try await CompilationTests.complaints(
        about: OperationReferenceTests.output.get(), and: user, language: language) == "")
  }

  /// Types that are reached through a union, and that no object has together. Such fields have nothing in common.
  @Test(.enabled(if: isBuilt, "the runtime has not been built for debugging in .build"))
  func impossibleTypeConditionsCompile() async throws {
    let sdl = """
      directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
      type Query { a: A }
      interface N { id: ID! }
      type A implements N { id: ID! x: Float d: D }
      type B { x: [N!] z: Int c: C }
      type C { x: N y: Int }
      type D { w: Int }
      union U = A | B
      union V = B | C
      """
    let document = """
      query Q { a { x ... on U { ... on B { z } } } }
      query R { a { d { w } ... on U { ... on V { ... on B { d: c { x { id } y } ...F } } } } }
      query S { a { ... on U { ... on V { ... on B @defer { z } ...F @defer } ... on B { z } } } }
      fragment F on B { z }
      """
    for builders in [true, false] {
      var configuration = Configuration(namespace: "API")
      configuration.builders = builders
      try await compile(document, sdl: sdl, configuration)
    }
  }

  /// Names with which the code could collide.
  @Test(
    .enabled(if: isBuilt, "the runtime has not been built for debugging in .build"),
    arguments: [
      Configuration(namespace: "API"), Configuration(namespace: "String", access: .package),
      Configuration(
        namespace: "Hashable", operations: OperationOptions(namespace: Located("Int2"))),
    ])
  func codeCompilesWithAnyNames(configuration: Configuration) async throws {
    let sdl = """
      type Query {
        string: Data int: Data bool: Data swift: Data graphQL: Data api: Data hashable: Data
        identifiable: Data sendable: Data data(in: In, variables: ID, self: ID, init: ID): [Data!]!
        _fields: Int self: Self type: [Type] any: Any kind: Kind _document: Int
        _variables: Int optional: Data fields: Data query: Query union: Either hashValue: Int
      }
      type Data { data: Data string: String! int: Int! id: ID! protocol: [String] hashValue: Int! }
      type Self { self: Self init: Int }
      type Type { type: Type Protocol: Type other: Int }
      type Any { any: [[Any!]!]! }
      type Kind { kind: Kind typeKind: Int }
      type Other { other: Int kind: Int }
      union Either = Other | Kind | Data
      input In { in: In string: String }
      """
    let document = """
      query Q($in: In, $variables: ID, $self: ID, $init: ID!) {
        string { id string } int { id int } bool { id data { id } } swift { id protocol }
        graphQL { id a: id } api { id b: id } hashable { id c: id } identifiable { id d: id }
        sendable { id e: id } optional { id f: id } fields { id g: id }
        data(in: $in, variables: $variables, self: $self, init: $init) { id h: id hashValue }
        _fields self { self { init } } type { type { Protocol { other } } } any { any { any { __typename } } }
        kind { kind { typeKind } } Kind: kind { typeKind } _document _variables query { query { _fields } }
        union {
          ... on Other { other number: kind }
          ... on Kind { kind { kind { typeKind } } typeKind }
          ... on Data { id data { id data { id } } }
          Kind: __typename
          ...Either2
        }
        hashValue String: string { id i: id } Int: int { id } object: string { id }
        let: string { id } _: string { id j: id } __: string { id k: id } x1: string { id }
      }
      fragment Either2 on Either { ... on Other { other } }
      query V($Data: String, $_document: ID!) {
        _fields: data(in: { string: $Data }, variables: $_document, self: 1, init: 1) { id }
        _document: string { id _fields: data { id _document: data { id _fields: data { id } } } }
        _variables: bool { id }
      }
      """
    try await compile(document, sdl: sdl, configuration)
  }

  /// With all types within each other, this would take the compiler hours: for each level, its time doubles.
  @Test(
    .enabled(if: isBuilt, "the runtime has not been built for debugging in .build"),
    arguments: [
      Configuration(namespace: "API"),
      Configuration(
        namespace: "API", operations: OperationOptions(namespace: Located("Documents"))),
    ])
  func deepSelectionsCompile(configuration: Configuration) async throws {
    let sdl = """
      type Query { node: Node! }
      interface Node { id: ID! next: Node! list: [[Node!]!]! }
      type A implements Node { id: ID! next: Node! list: [[Node!]!]! }
      type B implements Node { id: ID! next: Node! list: [[Node!]!]! }
      """
    let level = "{ ...F list { ... on B { id } } next { ... on A { id ...F next "
    let document = """
      query Q { node \(String(repeating: level, count: 12)) { id } \(String(repeating: "} } }", count: 12)) }
      fragment F on Node { id next \(String(repeating: level.replacing("...F", with: ""), count: 6)) { id } \(
        String(repeating: "} } }", count: 6)) }
      """
    let schema = try ServiceSchema(sdl: sdl)
    let code = OperationsPipeline(configuration: configuration).run(
      schema, documents: [Source(name: "a.graphql", text: document)]
    ).files.map(\.contents).joined()
    try #require(!code.contains("\n" + String(repeating: " ", count: 26)))
    try await compile(document, sdl: sdl, configuration)
  }

  /// Generates the code of a schema and a document, which compiles without a warning.
  private func compile(
    _ document: String, sdl: String, _ configuration: Configuration
  ) async throws {
    let schema = try ServiceSchema(sdl: sdl)
    let output = OperationsPipeline(configuration: configuration).run(
      schema, documents: [Source(name: "a.graphql", text: document)])
    #expect(output.diagnostics.filter { $0.severity == .error } == [])
    let files = try GeneratorPipeline(configuration: configuration).run(schema).files
    #expect(try await CompilationTests.complaints(about: files + output.files) == "")
  }
}
