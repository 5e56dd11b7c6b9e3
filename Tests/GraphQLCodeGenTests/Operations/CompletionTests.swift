import GraphJSON
import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Fields that are added to a document, and its text as it is sent.
@Suite struct CompletionTests {
  /// The text of the first operation.
  private func sent(
    _ document: String, configuration: Configuration = Configuration(namespace: "Zoo"),
    sdl: String? = nil
  ) throws -> String {
    let generation = try OperationGeneration(document, configuration: configuration, sdl: sdl)
    #expect(generation.errors.isEmpty)
    return try #require(generation.output.operations.first).text
  }

  @Test func theNameOfTheTypeIsAddedToInterfacesAndUnions() throws {
    #expect(
      try sent(
        "query Q { search(text: \"a\") { ... on Person { id best_friend { id } } ... on Node { id } } }"
      )
        == "query Q{search(text:\"a\"){__typename ...on Person{id best_friend{id}}...on Node{id}}}")
    #expect(
      try sent(
        "query Q { animal { ... on Node { id } ... on Pet { friend { ... on Node { id } } } } }")
        == "query Q{animal{__typename ...on Node{id}...on Pet{friend{__typename ...on Node{id}}}}}")
    #expect(
      try sent("query Q { node(id: 1) { ...F } } fragment F on Node { id }")
        == "query Q{node(id:1){__typename ...F}}fragment F on Node{__typename id}")
  }

  @Test func theNameOfTheTypeIsAddedOnce() throws {
    #expect(
      try sent("query Q { node(id: 1) { id __typename } }")
        == "query Q{node(id:1){id __typename}}")
    #expect(
      try sent("query Q { node(id: 1) { id type: __typename } }")
        == "query Q{node(id:1){__typename id type:__typename}}")
    #expect(
      try sent("query Q { node(id: 1) { __typename @include(if: true) id } }")
        == "query Q{node(id:1){__typename __typename@include(if:true)id}}")
  }

  /// A sibling with the same type condition has the key.
  @Test func keysOfTypeConditionsAreAddedOnce() throws {
    #expect(
      try sent("query Q { either { ... on Dog { name } ... on Dog { id } } }", sdl: Self.either)
        == "query Q{either{__typename ...on Dog{name}...on Dog{id}}}")
    #expect(
      try sent(
        "query Q { either { ... on Dog { name } ...F } } fragment F on Dog { name }",
        sdl: Self.either)
        == "query Q{either{__typename ...on Dog{name}...F}}fragment F on Dog{name id}")
    #expect(
      try sent("query Q { either { ... on Dog { name } ... on Tag { name } } }", sdl: Self.either)
        == "query Q{either{__typename ...on Dog{name id}...on Tag{name}}}")
    // The first one that certainly applies has it.
    #expect(
      try sent(
        "query Q($a: Boolean!) { either { ... on Dog @skip(if: $a) { name } ... { ... on Named {"
          + " ... on Dog { name } ... on Dog { name } } } } }", sdl: Self.either)
        == "query Q($a:Boolean!){either{__typename ...on Dog@skip(if:$a){name}...{...on Named{"
        + "...on Dog{name id}...on Dog{name}}}}}")
  }

  /// A union with one type that has a key.
  private static let either = """
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    type Query { either: Either } union Either = Dog | Tag
    interface Named { name: String }
    type Dog implements Named { id: ID!, name: String } type Tag implements Named { name: String }
    """

  @Test func keysAreAddedAndReported() throws {
    let generation = try OperationGeneration(
      """
      query Q {
        people {
          name
          friend: best_friend { birthday }
        }
      }
      """)
    #expect(
      generation.output.operations.first?.text
        == "query Q{people{name friend:best_friend{birthday id}id}}")
    #expect(
      generation.findings == [
        "a.graphql:2:3: note: AddedKey", "a.graphql:4:13: note: AddedKey",
      ])
    #expect(
      generation.output.diagnostics.first?.message
        == "The key \"id\" of \"Person\" is added here.")
    #expect(
      generation.accessors("QQuery.Data.Person") == [
        "name: String { string(0) }", "friend: Friend? { oneOpt(1) }",
      ])
  }

  @Test func keysAreNotAddedIfTheyAreCertainlySelected() throws {
    #expect(
      try sent("query Q { people { ... on Node { id } } }")
        == "query Q{people{...on Node{id}}}")
    #expect(
      try sent("query Q { people { ...F } } fragment F on Person { name }")
        == "query Q{people{...F}}fragment F on Person{name id}")
    #expect(
      try sent("query Q { people { ...F @skip(if: false) } } fragment F on Node { id }")
        == "query Q{people{...F@skip(if:false)id}}fragment F on Node{__typename id}")
    #expect(
      try sent("query Q { people { key: id } }") == "query Q{people{key:id id}}")
  }

  @Test func keysAreAddedToTypeConditions() throws {
    #expect(
      try sent("query Q { animal { ... on Dog { barks } ... on Pet { owner { id } } } }")
        == "query Q{animal{__typename ...on Dog{barks}...on Pet{owner{id}}..._Node_id}}"
        + "fragment _Node_id on Node{id}")
    #expect(
      try sent("query Q { node(id: 1) { id ... on Dog { barks } } }")
        == "query Q{node(id:1){__typename id ...on Dog{barks}}}")
  }

  @Test func keysAreThoseOfTheConfiguration() throws {
    let configuration = Configuration(
      namespace: "Zoo",
      types: [
        "Person": Located(TypePolicy(key: ["name", "kind"])), "Dog": Located(TypePolicy(key: [])),
        "Cell": Located(TypePolicy(key: ["row", "column"])),
      ])
    #expect(
      try sent(
        "query Q { people { kind garden { row } } animal { ... on Dog { barks } } }",
        configuration: configuration)
        == "query Q{people{kind garden{row column}name}animal{__typename ...on Dog{barks}..._Node_id}}"
        + "fragment _Node_id on Node{id}")
  }

  @Test func aKeyThatIsHiddenByAnAliasIsReported() throws {
    let generation = try OperationGeneration("query Q { people { id: name } }")
    #expect(generation.findings == ["a.graphql:1:20: warning: HiddenKey"])
    #expect(
      generation.output.operations.first?.text == "query Q{people{id:name}}")
  }

  /// The service would reject the document.
  @Test func aKeyInConflictWithAnotherFieldIsAnError() throws {
    let alias = try OperationGeneration(
      "query Q { people { ...F } people { id: name } } fragment F on Person { kind }")
    #expect(alias.findings.contains("a.graphql:1:7: error: KeyConflict"))
    #expect(alias.output.operations.isEmpty)
    let types = try OperationGeneration(
      "query Q { hit { ... on A { name } ... on B { id } } }",
      sdl: """
        type Query { hit: Hit } union Hit = A | B
        type A { id: ID! name: String } type B { id: String! }
        """)
    #expect(types.findings.contains("a.graphql:1:7: error: KeyConflict"))
    let plain = try OperationGeneration(
      "query Q { people { ...F } people { id name } } fragment F on Person { kind }")
    #expect(plain.errors.isEmpty)
  }

  @Test func directivesOfClientsAreNotSent() throws {
    #expect(
      try sent(
        """
        query Q @apollo_client_ios_localCacheMutation {
          people { id @nonnull ...F @unmask ... @connection(key: "x") { name } }
        }
        fragment F on Person @import(module: "Other") { id @include(if: true) }
        """)
        == "query Q{people{id ...F ...{name}}}fragment F on Person{id@include(if:true)id}")
  }

  @Test func fragmentsFollowInTheOrderOfTheirFirstUse() throws {
    let text = try sent(
      """
      fragment C on Person { id ...D }
      fragment D on Person { id name }
      query Q { people { id best_friend { ...B } ...C } }
      fragment B on Person { ...D }
      fragment Unused on Person { id }
      """)
    #expect(
      text == "query Q{people{id best_friend{...B}...C}}fragment B on Person{...D}"
        + "fragment D on Person{id name}fragment C on Person{id ...D}")
  }

  @Test func descriptionsAreNotSent() throws {
    #expect(
      try sent(
        "\"A\" query Q(\"B\" $a: ID!) { node(id: $a) { id ...F } } \"C\" fragment F on Node { id }")
        == "query Q($a:ID!){node(id:$a){__typename id ...F}}fragment F on Node{__typename id}")
  }

  @Test func theHashIsThatOfTheText() throws {
    let generation = try OperationGeneration(
      "query Q { people { ...F } } fragment F on Person { id }")
    let operation = try #require(generation.output.operations.first)
    #expect(operation.name == "Q")
    #expect(operation.kind == .query)
    #expect(operation.hash == SHA256.hexDigest(operation.text))
    #expect(generation.text.contains("hash: \"\(operation.hash)\""))
    #expect(generation.text.contains(SHA256.hexDigest("fragment F on Person{id}")))
    let position = try #require(operation.position)
    #expect((position.line, position.column) == (1, 7))
  }

  /// Otherwise an object that another query stored would be replaced by one without a key.
  @Test func theKeyOfAllObjectsOfAnInterfaceIsAdded() throws {
    let sdl = """
      type Query { named: Named, loose: Loose, other: Other, owner: Owner }
      interface Named { id: ID!, name: String }
      interface Loose { name: String }
      interface Other { id: ID!, name: String }
      type Owner implements Named & Loose { id: ID!, name: String }
      type Dog implements Named & Loose & Other { id: ID!, name: String, age: Int }
      type Tag implements Other { id: ID!, code: ID!, name: String }
      """
    var configuration = Configuration(namespace: "Zoo")
    configuration.types["Tag"] = Located(TypePolicy(key: ["code"]))
    func sent(_ document: String) throws -> String {
      let generation = try OperationGeneration(document, configuration: configuration, sdl: sdl)
      #expect(generation.errors.isEmpty)
      return try #require(generation.output.operations.first).text
    }
    #expect(
      try sent("query Q { named { name ... on Dog { age } } }")
        == "query Q{named{__typename name ...on Dog{age}id}}")
    #expect(
      try sent("query Q { owner { ...F } } fragment F on Named { name }")
        == "query Q{owner{...F}}fragment F on Named{__typename name id}")
    // The interface does not have the key.
    #expect(
      try sent("query Q { loose { name ... on Dog { age } } }")
        == "query Q{loose{__typename name ...on Dog{age id}..._Owner_id}}fragment _Owner_id on Owner{id}"
    )
    // Its objects have two keys.
    #expect(
      try sent("query Q { other { name ... on Tag { name } } }")
        == "query Q{other{__typename name ...on Tag{name code}..._Dog_id}}fragment _Dog_id on Dog{id}"
    )
  }
}
