import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// Objects made from fields.
@Suite struct FieldsInitializerTests {
  private func violation(_ fields: [String: Any]) -> String? {
    do {
      _ = try Shop.Product(fields: fields)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func acceptsValuesOfEveryKind() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    let product = try Shop.Product(fields: [
      "title": "T\n\"", "available": true, "rating": 2, "id": GraphQL.ID(rawValue: "1"),
      "code": Shop.Color.green, "codes": ["GREEN", "X"], "createdAt": date, "day": "2024-01-01",
      "price": Decimal(string: "1.10")!, "big": 12, "matrix": [[1, nil] as [Int?], []],
      "tags": [String](), "points": [Shop.Point(x: 1, y: 2)], "meta": ["a": [1, true, NSNull()]],
      "legacy__id": NSNull(), "image": ["url": URL(string: "/a")!, "height": Int64(3)],
      "image__big": Optional<Int>.none as Any, "related": [["__typename": "Article", "id": 4]],
    ])
    #expect(product.title == "T\n\"" && product.available && product.rating == 2)
    #expect(
      product.id == "1" && product.code == .green && product.codes == [.green, .unknownValue("X")])
    #expect(product.createdAt == date && product.day?.description == "2024-01-01")
    #expect(product.price == Decimal(string: "1.1") && product.big == 12)
    #expect(product.matrix == [[1, nil], []] && product.tags.isEmpty)
    #expect(product.points == [.init(x: 1, y: 2)] && product.meta == ["a": [1, true, nil]])
    #expect(product.legacy__id == nil && product.image?.height == 3)
    #expect(product.image?.url.absoluteString == "/a")
    #expect(product.aliasedImage(alias: "big") == nil && product.has(\.image))
    #expect((product.related?[0] as? Shop.Article)?.id == "4")
    #expect(product.__typename == "Product")
  }

  @Test func foundationNumbersKeepTheirKind() throws {
    let product = try Shop.Product(fields: [
      "available": NSNumber(value: true), "rating": NSNumber(value: 1.5),
      "matrix": [[NSNumber(value: 1), NSNumber(value: Int8(0))]],
      "big": NSNumber(value: UInt64.max), "price": NSDecimalNumber(string: "0.1"),
      "meta": [NSNumber(value: true), NSNumber(value: 1), NSNumber(value: false)],
    ])
    #expect(product.available && product.rating == 1.5 && product.matrix == [[1, 0]])
    #expect(product.big?.uint64 == .max && product.price == Decimal(string: "0.1"))
    #expect(product.meta == [true, 1, false])
    #expect(
      violation(["available": NSNumber(value: 1)])
        == "available: Product.available: expected true or false, found a number")
    #expect(
      violation(["rating": NSNumber(value: true)])
        == "rating: Product.rating: expected a number, found a boolean")
  }

  @Test func acceptsFoundationJSON() throws {
    let text = #"{"available":true,"rating":1,"tags":["a"],"image":{"height":2},"title":null}"#
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let product = try Shop.Product(fields: try #require(object as? [String: Any]))
    #expect(product.available && product.rating == 1 && product.tags == ["a"])
    #expect(product.image?.height == 2 && product.has(\.title) && !product.has(\.price))
  }

  @Test func acceptsNestedObjects() throws {
    let image = try Shop.Image(fields: ["height": 5])
    let product = try Shop.Product(fields: ["image": image, "images": [image, image]])
    #expect(product.image?.height == 5 && product.images.map(\.height) == [5, 5])
    let root = try Shop.QueryRoot(fields: ["node": product, "nodes": [product]])
    #expect((root.node as? Shop.Product)?.images.count == 2)
    #expect((root.nodes[0] as? Shop.Product)?.image?.height == 5)
  }

  @Test func reportsPathOfSchemaViolation() {
    #expect(violation(["nothing": 1]) == "nothing: Product.nothing: the schema has no such field")
    #expect(
      violation(["images": [["height": 1], ["height": "x"]]])
        == "images[1].height: Image.height: expected an integer, found a string")
    #expect(
      violation(["tags": NSNull()]) == "tags: Product.tags: null where the schema has [String!]!")
    #expect(
      violation(["related": [["id": "1"]]])
        == "related[0]: Product.related: `__typename` is needed: Node is abstract")
    #expect(
      violation(["__typename": 1]) == "__typename: Product.__typename: expected a type's name")
    #expect(violation(["__typename__x": "P"]) == nil)
  }

  @Test func reportsPathOfNonJSONValue() {
    final class Thing {}
    #expect(violation(["meta": [1, Thing()]]) == "meta[1]: Product: a Thing has no JSON form")
    #expect(violation(["rating": Double.nan]) == "rating: Product: nan has no JSON form")
    #expect(violation(["rating": Float.infinity]) == "rating: Product: inf has no JSON form")
    #expect(
      violation(["code": Shop.Color.unknownValue("dark-red")])
        == "code: Product: a value of Color whose text is not a GraphQL name cannot be sent")
    var deep: Any = 1
    for _ in 0..<600 { deep = [deep] }
    #expect(violation(["meta": deep])?.hasSuffix("more than 128 levels") == true)
  }

  @Test func equalFieldsProduceEqualBytes() throws {
    let fields: [String: Any] = ["title": "T", "id": "1", "available": false, "rating": 1.25]
    #expect(
      try Shop.Product(fields: fields).debugDescription
        == #"Product {"available":false,"id":"1","rating":1.25,"title":"T"}"#)
  }

  @Test func derivedClassesKeepTheirType() throws {
    let item = try Derived(fields: ["thing": ["__typename": "Derived"]])
    #expect(item.thing is DerivedBase && item.has(\.self.thing))
    #expect(throws: GraphQL.SchemaViolation.self) { try Derived(fields: ["other": 1]) }
  }

  private class DerivedBase: GraphQL.AbstractResponse, @unchecked Sendable {
    override class var schema: GraphQL.SchemaTable { FieldsInitializerTests.open }
    var thing: GraphQL.AbstractResponse? { _anyOpt("thing") }
  }
  private final class Derived: DerivedBase, @unchecked Sendable {}

  private static let open = GraphQL.SchemaTable(
    name: "Open", table: ">Derived - -\n@Derived\nthing Any\n|Any Derived",
    queries: [GraphQL.AbstractQuery.self, GraphQL.AbstractQuery.self],
    responses: [DerivedBase.self, GraphQL.AbstractResponse.self], scalars: [])
}
