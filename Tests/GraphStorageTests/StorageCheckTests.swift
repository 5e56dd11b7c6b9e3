import GraphJSON
import GraphQLRuntime
import GraphStorage
import StorefrontAPI
import Testing

/// Stored values against the schema.
@Suite struct StorageCheckTests {
  private let planner = GraphQL.StoragePlanner(schema: Storefront.schema, keys: [:])

  private func check(_ text: String) throws -> GraphQL.StorageCheck {
    GraphQL.StorageCheck(
      schema: Storefront.schema, json: try JSONDocument(parsing: Array(text.utf8)))
  }

  private func field(_ name: String, of type: String) throws -> GraphQL.StorageField {
    let plan = try #require(planner.plan(ofType: type))
    return try #require(plan.fields.first { $0.name == name })
  }

  @Test(arguments: [
    (#""Straw hat""#, "title", true), ("7", "title", false), ("null", "title", false),
    ("null", "publishedAt", true), (#""2026-01-31T09:30:00Z""#, "publishedAt", true),
    (#""yesterday""#, "publishedAt", false), (#"["a","b"]"#, "tags", true),
    (#"["a",1]"#, "tags", false), (#""a""#, "tags", false), (#"{"a":1}"#, "priceRange", true),
    (#""a""#, "priceRange", false),
  ])
  func checksValueAgainstFieldType(_ text: String, _ name: String, _ isAccepted: Bool) throws {
    let field = try field(name, of: "Product")
    #expect(try check(text).accepts(JSONDocument.rootIndex, field) == isAccepted)
  }

  @Test func checksTypeOfObject() throws {
    let node = try field("node", of: "QueryRoot")
    #expect(try check("{}").allows(typeName: "Product", in: node))
    #expect(try check("{}").allows(typeName: "Money", in: node) == false)
    #expect(try check("{}").allows(typeName: "Nothing", in: node) == false)
    #expect(try check("{}").allows(typeName: "Product", in: field("title", of: "Product")) == false)
  }

  @Test func checksFieldsOfObject() throws {
    func problem(_ text: String) throws -> String? {
      try check(text).problem(of: JSONDocument.rootIndex, typeName: "Product")?.description
    }
    #expect(try problem(#"{"title":"Straw hat","priceRange":{"min":{"amount":"7"}}}"#) == nil)
    #expect(
      try problem(#"{"title":7}"#) == "title: Product.title: expected a string, found a number")
    #expect(
      try problem(#"{"priceRange":{"min":{"amount":true}}}"#)?
        .hasPrefix("priceRange.min.amount: Money.amount: ") == true)
    #expect(
      try problem(#"{"colour":"red"}"#) == "colour: Product.colour: the schema has no such field")
  }
}

/// Links from one record to another.
@Suite struct StoredLinkTests {
  private func key(_ text: String) throws -> GraphQL.EntityKey? {
    GraphQL.StoredLink.key(
      at: JSONDocument.rootIndex, in: try JSONDocument(parsing: Array(text.utf8)))
  }

  @Test(arguments: ["1", "gid://shop/Product/1", "a:b", #"a"b\c"#, "line\nbreak", "é"])
  func keyRoundTripsThroughLink(_ text: String) throws {
    let key = GraphQL.EntityKey(typeName: "Product", key: text)
    var bytes: [UInt8] = []
    GraphQL.StoredLink.append(key, to: &bytes)
    #expect(try self.key(String(decoding: bytes, as: UTF8.self)) == key)
    var buffer = GraphQL.ByteBuffer(capacity: 1)
    buffer.append(UInt8(ascii: "["))
    GraphQL.StoredLink.append(key, to: &buffer)
    let text = Array(buffer.bytes)
    #expect(text == [UInt8(ascii: "[")] + bytes)
    #expect(text.count == buffer.count)
  }

  @Test(arguments: [#"{"id":"Product:1"}"#, #"{"&":1}"#, #"{"&":"Product:1","id":"1"}"#, "{}"])
  func otherObjectsAreNotLinks(_ text: String) throws {
    #expect(try key(text) == nil)
  }
}
