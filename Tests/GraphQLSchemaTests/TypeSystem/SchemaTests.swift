import GraphQLPrinting
import GraphQLSchema
import Testing

@Suite struct SchemaTests {
  private static let schema = try? ServiceSchema(
    sdl: """
      directive @tag(name: String) repeatable on OBJECT | INTERFACE
      type Query @tag(name: "a") { node: Node search: [Found!]! }
      interface Node { id: ID! }
      interface Named implements Node { id: ID! name: String }
      type Product implements Node & Named { id: ID! name: String }
      type Shop implements Node { id: ID! }
      union Found = Shop | Product
      extend type Query @tag(name: "b")
      """)

  private func schema() throws -> ServiceSchema { try #require(Self.schema) }

  @Test func typesKeepDefinitionOrder() throws {
    #expect(
      try schema().types.map(\.name) == ["Query", "Node", "Named", "Product", "Shop", "Found"])
  }

  @Test func findsTypesAndDirectivesByName() throws {
    let schema = try schema()
    #expect(schema.type(named: "Product")?.kind == .object)
    #expect(schema.type(named: "Int")?.kind == .scalar)
    #expect(schema.type(named: "__TypeKind")?.kind == .enum)
    #expect(schema.type(named: "Nothing") == nil)
    #expect(schema.namedType(of: .nonNull(.list(.named("Shop"))))?.name == "Shop")
    #expect(schema.directive(named: "tag")?.isRepeatable == true)
    #expect(schema.directive(named: "deprecated")?.locations.count == 4)
    #expect(schema.directive(named: "defer") == nil)
    #expect(schema.queryType?.name == "Query")
    #expect(schema.mutationType == nil)
  }

  @Test func appliedDirectivesAreKept() throws {
    let tags = try #require(schema().queryType).directives
    #expect(tags.map { $0.argument("name") } == [.string("a"), .string("b")])
  }

  @Test func returnsPossibleTypes() throws {
    let schema = try schema()
    func names(_ type: String) throws -> [String] {
      schema.possibleTypes(of: try #require(schema.type(named: type))).map(\.name)
    }
    #expect(try names("Node") == ["Product", "Shop"])
    #expect(try names("Named") == ["Product"])
    #expect(try names("Found") == ["Shop", "Product"])
    #expect(try names("Shop") == ["Shop"])
    #expect(try names("Int") == [])
  }

  @Test func returnsImplementationsOfInterface() throws {
    let schema = try schema()
    guard case .interface(let node)? = schema.type(named: "Node") else {
      Issue.record("Node is an interface")
      return
    }
    #expect(schema.implementations(of: node).map(\.name) == ["Product", "Shop", "Named"])
  }

  @Test func recognizesSubtypes() throws {
    let schema = try schema()
    #expect(schema.isSubtype("Product", of: "Node"))
    #expect(schema.isSubtype("Named", of: "Node"))
    #expect(schema.isSubtype("Shop", of: "Found"))
    #expect(!schema.isSubtype("Shop", of: "Named"))
    #expect(!schema.isSubtype("Node", of: "Product"))
    func type(_ text: String) throws -> TypeReference {
      try TypeReference(parsing: Source(name: "type", text: text))
    }
    #expect(try schema.isSubtype(type("[Shop!]!"), of: type("[Node]")))
    #expect(try !schema.isSubtype(type("[Shop]"), of: type("[Node!]")))
    #expect(try !schema.isSubtype(type("Shop"), of: type("[Shop]")))
  }

  @Test func parsesAndInspectsTypeReferences() throws {
    let type = TypeReference.nonNull(.list(.nonNull(.named("ID"))))
    #expect(type.description == "[ID!]!")
    #expect(try TypeReference(parsing: Source(name: "type", text: "[ID!]!")) == type)
    #expect(type.namedType == "ID")
    #expect(type.isNonNull && type.isList)
    #expect(type.nullable.description == "[ID!]")
    #expect(type.itemType?.description == "ID!")
    #expect(TypeReference.named("ID").itemType == nil)
  }

  /// A schema definition is written only if it is necessary.
  @Test(arguments: [
    ("type Query { a: Int }", false),
    ("schema { query: Query } type Query { a: Int }", false),
    ("schema { query: Query } type Query { a: Int } type Mutation { a: Int }", true),
    ("schema { query: Root } type Root { a: Int }", true),
    ("\"d\" schema { query: Query } type Query { a: Int }", true),
    ("extend schema @d directive @d on SCHEMA type Query { a: Int }", true),
  ])
  func printsSchemaDefinitionOnlyIfRequired(sdl: String, isWritten: Bool) throws {
    let schema = try ServiceSchema(sdl: sdl)
    #expect(schema.sdl.contains("schema ") == isWritten)
    #expect(try ServiceSchema(sdl: schema.sdl) == schema)
  }

  /// A directive in the form of an earlier edition is the built-in one; one with further parts is
  /// not.
  @Test func ignoresEquivalentRedefinitionsOfBuiltIns() throws {
    let older = try ServiceSchema(
      sdl: """
        directive @deprecated(reason: String = "No longer supported") on FIELD_DEFINITION
        scalar ID
        type Query { a(b: ID @deprecated): Int }
        """)
    #expect(older.directives.isEmpty)
    #expect(older.types.map(\.name) == ["Query"])
    let wider = try ServiceSchema(
      sdl: """
        directive @deprecated(reason: String, since: Int) on FIELD_DEFINITION
        type Query { a: Int @deprecated(since: 2) }
        """)
    #expect(wider.directives.map(\.name) == ["deprecated"])
    #expect(wider.queryType?.fields["a"]?.deprecationReason == "No longer supported")
  }

  @Test func namedListReturnsFirstElementWithName() {
    let names = (0..<20).map { TypeName("T\($0)") }
    let list = NamedList(names + [TypeName("T3")])
    #expect(list["T3"] == TypeName("T3"))
    #expect(list.contains(name: "T19"))
    #expect(!list.contains(name: "T20"))
    #expect(list.count == 21)
    #expect(NamedList<TypeName>(["A", "B"])["B"] == "B")
  }
}
