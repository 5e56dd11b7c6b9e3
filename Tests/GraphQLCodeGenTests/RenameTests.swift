import GraphQLCodeGen
import GraphQLSchema
import Testing

@Suite struct RenameTests {
  @Test func renameResolvesConflict() throws {
    let module = try Generation(
      "type Query { created_at: Int createdAt: Int }",
      configuration: renaming(["Query.created_at": "creationTime"]))
    #expect(module.text.contains("public var creationTime: Int? { _intOpt(\"created_at\") }"))
    #expect(module.text.contains("public var createdAt: Int? { _intOpt(\"createdAt\") }"))
  }

  /// `(product as any Node).y` would read `x`, and `product.y` would read `y`.
  @Test func renamedInterfaceFieldCannotHaveNameOfAnotherFieldOfObject() throws {
    let sdl = """
      interface Node { x: Int }
      type Product implements Node { x: Int y: Int }
      type Query { node: Node product: Product }
      """
    let error = #expect(throws: Diagnostics.self) {
      try Generation(sdl, configuration: renaming(["Node.x": "y"]))
    }
    #expect(
      error?.elements.map(\.message) == [
        #""Product.y" and "Node.x" have the same name in Swift, "y"."#
      ])
    _ = try Generation(sdl, configuration: renaming(["Node.x": "y", "Product.y": "z"]))
  }

  @Test func renamesElementsOfEachKind() throws {
    let module = try Generation(
      """
      type users { a: Int }
      enum Sort { ASC }
      input Filter { eq: Int }
      directive @cache(ttl: Int) on QUERY
      type Query { users(first: Int, sort: Sort, filter: Filter): users }
      """,
      configuration: renaming([
        "users": "User", "Sort.ASC": "ascending", "Filter.eq": "equals", "@cache": "cached",
        "@cache(ttl:)": "seconds", "Query.users": "people", "Query.users(first:)": "count",
      ]))
    #expect(module.declaration("public final class User: _Response") != nil)
    #expect(module.declaration("public final class UserQuery: _Query") != nil)
    #expect(module.text.contains("case ascending\n"))
    #expect(module.text.contains("var equals: Int?"))
    #expect(module.text.contains("static func cached(seconds: Int? = nil) -> Self"))
    #expect(module.text.contains("count: Int? = nil"))
    #expect(module.text.contains("public var people: User? { _oneOpt(\"users\") }"))
    #expect(module.text.contains("func aliasedPeople(alias: String) -> User?"))
  }

  @Test(
    "A rename of something that does not exist is an error",
    arguments: [
      ("Querry", #"There is no "Querry" in the schema."#, #"Did you mean "Query"?"#),
      (
        "Query.titel", #"There is no "Query.titel" in the schema."#, #"Did you mean "Query.title"?"#
      ),
      ("Querry.title", #"There is no "Querry.title" in the schema."#, #"Did you mean "Query"?"#),
      (
        "Query.titel(x:)", #"There is no "Query.titel(x:)" in the schema."#,
        #"Did you mean "Query.title"?"#
      ),
      ("Query.title(x:)", #"There is no "Query.title(x:)" in the schema."#, nil),
      ("@cached", #"There is no "@cached" in the schema."#, #"Did you mean "@cache"?"#),
      (
        "Money", #"The scalar "Money" has no type of its own in Swift."#,
        "Set its Swift type with `scalars`."
      ),
    ])
  func unknownRenamesAreErrors(coordinate: String, message: String, suggestion: String?) throws {
    let error = #expect(throws: Diagnostics.self) {
      try Generation(
        "scalar Money type Query { title: Money } directive @cache on QUERY",
        configuration: renaming([coordinate: "x"]))
    }
    #expect(error?.elements.map(\.message) == [message])
    if let suggestion { #expect(error?.elements.first?.suggestion == suggestion) }
  }

  /// `c.v` could be either property: `c` has none of its own that hides both.
  @Test(
    "Renamed fields of two interfaces of one type cannot have the same name",
    arguments: [
      (["A.x": "v", "B.y": "v"], ["A.x": "v"]),
      (["A.x": "v", "B.x": "v"], ["A.x": "v", "B.x": "v", "C.x": "v"]),
    ])
  func renamedFieldsOfInterfacesConflict(
    names: [String: String], valid: [String: String]
  ) throws {
    let sdl = """
      interface A { x: Int y: Int }
      interface B { x: Int y: Int }
      type C implements A & B { x: Int y: Int }
      type Query { c: C }
      """
    let error = #expect(throws: Diagnostics.self) {
      try Generation(sdl, configuration: renaming(names))
    }
    #expect(error?.elements.map(\.code) == ["NameConflict"])
    let other = try #require(names.keys.max())
    #expect(
      error?.elements.first?.message
        == "\"A.x\" and \"\(other)\" have the same name in Swift, \"v\", and \"C\" has both.")
    #expect(error?.elements.first?.suggestion?.contains("asWritten") == false)
    _ = try Generation(sdl, configuration: renaming(valid))
  }

  /// The property of the refining protocol hides that of the other.
  @Test func renamedFieldOfInterfaceHidesThatOfItsOwnInterface() throws {
    _ = try Generation(
      """
      interface A { x: Int }
      interface B implements A { x: Int }
      type C implements A & B { x: Int }
      type Query { c: C }
      """, configuration: renaming(["A.x": "v", "B.x": "v"]))
  }

  @Test(
    "A name that generated code needs is an error at its place",
    arguments: [
      ("users.hash", "hashValue", "hashValue_"), ("Query.users", "_field", "_field_"),
      ("users", "Any", "Any_"), ("users", "Shop", "Shop_"),
      ("Query.users(first:)", "alias", "alias_"),
      ("Sort.ASC", "allCases", "allCases_"), ("Filter.eq", "hashValue", "hashValue_"),
      ("@cache", "_field", "_field_"),
    ])
  func unavailableNamesAreErrors(coordinate: String, name: String, result: String) throws {
    let sdl = """
      type users { hash: Int }
      enum Sort { ASC }
      input Filter { eq: Int }
      directive @cache(ttl: Int) on QUERY
      type Query { users(first: Int, sort: Sort, filter: Filter): users }
      """
    let place = SourcePosition(source: "graphql-generator.json", line: 3, column: 5)
    let configuration = Configuration(
      namespace: "Shop",
      rename: [try #require(SchemaCoordinate(coordinate)): Located(name, at: place)])
    let error = #expect(throws: Diagnostics.self) {
      try Generation(sdl, configuration: configuration)
    }
    #expect(
      error?.elements == [
        Diagnostic(
          code: "UnavailableName",
          message: "\"\(coordinate)\" cannot have the name \"\(name)\" in Swift, which generated "
            + "code or the runtime uses: it would become \"\(result)\".",
          at: place, suggestion: "Choose another name.")
      ])
  }

  @Test func keywordsAreAvailableNames() throws {
    let module = try Generation(
      "type Query { a(b: Int): E } enum E { X }",
      configuration: renaming([
        "Query.a": "default", "Query.a(b:)": "in", "E": "Actor", "E.X": "case",
      ]))
    #expect(module.text.contains("public var `default`: Actor?"))
  }

  @Test(
    "Keeping all names is suggested only if conversion caused the conflict",
    arguments: [
      (Configuration.Naming.camelCase, ["Query.b_c": "a"], false),
      (.asWritten, ["Query.b_c": "a"], false), (.camelCase, ["Query.a": "bC"], true),
    ])
  func suggestsKeepingNames(
    naming: Configuration.Naming, names: [String: String], isSuggested: Bool
  ) throws {
    var configuration = renaming(names)
    configuration.naming = naming
    let error = #expect(throws: Diagnostics.self) {
      try Generation("type Query { a: Int b_c: Int }", configuration: configuration)
    }
    #expect(error?.elements.map(\.code) == ["NameConflict"])
    let suggestion = try #require(error?.elements.first?.suggestion)
    #expect(suggestion.contains("\"naming\": \"asWritten\"") == isSuggested)
    #expect(suggestion.contains("\"rename\""))
  }

  private func renaming(_ names: [String: String]) -> Configuration {
    Configuration(
      namespace: "Shop",
      rename: Dictionary(
        uniqueKeysWithValues: names.map { (SchemaCoordinate($0.key)!, Located($0.value)) }))
  }
}
