import GraphJSON
import GraphQLPrinting
import GraphQLSchema
import Testing

/// From a schema to an introspection result and back.
@Suite struct IntrospectionResultTests {
  private static let sdl = #"""
    """A shop."""
    schema {
      query: QueryRoot
      subscription: Subscription
    }

    directive @cost(weight: Int! = 1, of: [String!] = ["a\"b"] @deprecated) repeatable on FIELD | FRAGMENT_SPREAD

    type QueryRoot {
      node(id: ID!): Node
      search(filter: Filter = {text: "x", tags: [A, B], price: {min: 1.50}}, by: By): [Result!]!
    }

    type Subscription {
      changed: Node! @deprecated(reason: "Poll.")
    }

    interface Node {
      id: ID!
    }

    interface Named implements Node {
      id: ID!
      name: String
    }

    """
    A product:
      - with a list
    """
    type Product implements Node & Named {
      id: ID!
      name: String
    }

    union Result = Product | Subscription

    enum Tag {
      A
      """The second."""
      B @deprecated
    }

    input Filter {
      text: String = ""
      tags: [Tag!]
      price: Range @deprecated(reason: "Gone.")
    }

    input Range {
      min: Decimal
    }

    input By @oneOf {
      name: String
      id: ID
    }

    scalar Decimal @specifiedBy(url: "https://example.org/decimal")

    """#

  @Test func schemaRoundTripsThroughIntrospection() throws {
    let schema = try ServiceSchema(sdl: Self.sdl)
    #expect(schema.sdl == Self.sdl)
    let result = schema.introspectionResult()
    let again = try ServiceSchema(introspection: Source(name: "schema.json", bytes: result))
    #expect(again == schema)
    #expect(again.sdl == Self.sdl)
    #expect(again.introspectionResult() == result)
  }

  /// A reason that equals the default one is left out.
  @Test func omitsDefaultDeprecationReason() throws {
    let schema = try ServiceSchema(
      sdl: "type Query { a: Int @deprecated(reason: \"No longer supported\") }")
    #expect(schema.sdl == "type Query {\n  a: Int @deprecated\n}\n")
    let result = schema.introspectionResult()
    let again = try ServiceSchema(introspection: Source(name: "schema.json", bytes: result))
    #expect(again.sdl == schema.sdl)
  }

  /// Applied custom directives are not part of introspection.
  @Test func omitsAppliedDirectives() throws {
    let schema = try ServiceSchema(sdl: "directive @d on OBJECT\ntype Query @d { a: Int }")
    #expect(schema.sdl.contains("type Query @d {"))
    let result = schema.introspectionResult()
    let again = try ServiceSchema(introspection: Source(name: "schema.json", bytes: result))
    #expect(again.sdl == "directive @d on OBJECT\n\ntype Query {\n  a: Int\n}\n")
  }

  private func types(of sdl: String) throws -> (JSONNode, [String: JSONNode]) {
    let bytes = try ServiceSchema(sdl: sdl).introspectionResult()
    let root = try #require(try JSONDocument(parsing: bytes).root["data"]?["__schema"])
    let types = try #require(root["types"]?.array)
    return (
      root, Dictionary(uniqueKeysWithValues: types.map { ($0["name"]?.string ?? "", $0) })
    )
  }

  @Test func containsEveryFieldOfEdition() throws {
    let (root, types) = try types(of: Self.sdl)
    #expect(root["description"]?.string == "A shop.")
    #expect(root["queryType"]?["name"]?.string == "QueryRoot")
    #expect(root["mutationType"]?.isNull == true)
    #expect(types["By"]?["isOneOf"]?.bool == true)
    #expect(types["Filter"]?["isOneOf"]?.bool == false)
    #expect(types["Node"]?["isOneOf"]?.isNull == true)
    #expect(types["Decimal"]?["specifiedByURL"]?.string == "https://example.org/decimal")
    #expect(types["Node"]?["possibleTypes"]?.array?.map { $0["name"]?.string } == ["Product"])
    #expect(types["Named"]?["interfaces"]?.array?.map { $0["name"]?.string } == ["Node"])
    let search = try #require(types["QueryRoot"]?["fields"]?.array?.last)
    #expect(
      search["args"]?.array?.first?["defaultValue"]?.string
        == #"{text: "x", tags: [A, B], price: {min: 1.50}}"#)
    #expect(search["type"]?["ofType"]?["ofType"]?["ofType"]?["name"]?.string == "Result")
    let price = try #require(types["Filter"]?["inputFields"]?.array?.last)
    #expect(price["isDeprecated"]?.bool == true)
    #expect(price["deprecationReason"]?.string == "Gone.")
    let directives = try #require(root["directives"]?.array)
    #expect(
      directives.map { $0["name"]?.string }
        == ["cost", "skip", "include", "deprecated", "specifiedBy", "oneOf"])
    #expect(directives[0]["isRepeatable"]?.bool == true)
  }

  /// Built-in scalars are listed if they are used, the types of introspection always.
  @Test func keepsReservedNamesOfTypesThatAreNotIntrospection() throws {
    let schema = try ServiceSchema(sdl: "type Query { a(b: __In): Int }\ninput __In { c: Int }")
    let result = schema.introspectionResult()
    let back = try ServiceSchema(introspection: Source(name: "result.json", bytes: result))
    #expect(back.sdl == schema.sdl)
    #expect(back.warnings.count == 1)
  }

  @Test func listsBuiltInTypes() throws {
    let (_, types) = try types(of: "type Query { a: Int }")
    #expect(
      Set(types.keys) == [
        "Query", "Int", "String", "Boolean", "__Schema", "__Type", "__TypeKind", "__Field",
        "__InputValue", "__EnumValue", "__Directive", "__DirectiveLocation",
      ])
  }
}
