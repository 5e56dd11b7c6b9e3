import GraphQLCodeGen
import Testing

@Suite struct FieldPruningTests {
  private let schema = """
    type Query { shop: Shop! other: Other }
    type Shop { name: String! init: Int image(size: Int, crop: String): String email: String }
    type Other { name: String }
    """

  @Test(arguments: [
    ("buildQuery { $0.shop { $0.name() } }", ["Query.shop", "Shop.name"]),
    ("buildQuery shop.name", ["Query.shop", "Shop.name"]),
    // A Swift name that differs from the schema's.
    ("buildQuery { $0.shop { $0.init_() } }", ["Query.shop", "Shop.init"]),
    ("buildQuery { $0.shop { $0.image(alias: \"a\") } }", ["Query.shop", "Shop.image"]),
    ("buildQuery shop.aliasedImage(alias: \"a\")", ["Query.shop", "Shop.image"]),
    ("buildQuery aliasedShop", []),
    ("buildQuery aliasedName shop", ["Query.shop"]),
    ("buildQuery", []),
    ("", []),
  ])
  func fieldsAreKeptByTheirSwiftNames(source: String, fields: [String]) throws {
    #expect(try Generation(schema, usedBy: source).keptFields == fields)
  }

  @Test func fieldNamesDoNotKeepUnreachableTypes() throws {
    let module = try Generation(schema, usedBy: "buildQuery shop name")
    #expect(module.keptFields == ["Query.shop", "Shop.name"])
    #expect(module.keptTypes == ["Query", "Shop"])
    #expect(module.declaration("public final class OtherQuery") == nil)
  }

  @Test func keptDeclarationsEqualUnprunedDeclarations() throws {
    let whole = try Generation(schema)
    let pruned = try Generation(schema, usedBy: "buildQuery shop name init_ image size crop email")
    #expect(
      pruned.declaration("public final class ShopQuery:")
        == whole.declaration("public final class ShopQuery:"))
    #expect(
      pruned.declaration("public final class Shop:")
        == whole.declaration("public final class Shop:"))
  }

  @Test func keepsOptionalArgumentsOnlyByLabel() throws {
    let sdl = #"type Query { image(id: ID!, "Pixels" size: Int, "Edges" crop: String): String }"#
    let module = try Generation(sdl, usedBy: "buildQuery image crop")
    #expect(module.text.contains("- Parameter crop: Edges"))
    #expect(!module.text.contains("Pixels"))
    #expect(
      module.declaration("public func image")?.contains(
        "image(alias: String? = nil, id: GraphQL.ID, crop: String? = nil)") == true)
  }

  @Test func keepsKeyAndVersionFields() throws {
    var configuration = Configuration(namespace: "Shop")
    configuration.types = [
      "Line": Located(TypePolicy(key: ["cart", "number"], version: "updatedAt"))
    ]
    let module = try Generation(
      """
      type Query { line: Line item: Item }
      type Line { cart: String! number: Int! updatedAt: Int note: String }
      type Item { id: ID! note: String }
      """, configuration: configuration, usedBy: "buildQuery line item")
    #expect(
      module.keptFields
        == ["Item.id", "Line.cart", "Line.number", "Line.updatedAt", "Query.line", "Query.item"])
  }

  @Test func keepsCursorsAndPageInfoOfConnections() throws {
    let module = try Generation(
      """
      type Query { items: ItemConnection }
      type ItemConnection { edges: [ItemEdge!]! nodes: [Item!]! pageInfo: PageInfo! count: Int }
      type ItemEdge { cursor: String! node: Item! weight: Int }
      type PageInfo { hasNextPage: Boolean! endCursor: String }
      type Item { cursor: String name: String pageInfo: Int }
      """, usedBy: "buildQuery items edges node name")
    #expect(
      module.keptFields == [
        "Item.name", "ItemConnection.edges", "ItemConnection.pageInfo", "ItemEdge.cursor",
        "ItemEdge.node", "PageInfo.hasNextPage", "PageInfo.endCursor", "Query.items",
      ])
  }

  @Test func keepsAllLeafFieldsOfUserErrors() throws {
    let module = try Generation(
      """
      type Query { ok: Boolean }
      type Mutation { add: AddPayload drop: DropPayload }
      type AddPayload { item: Item userErrors: [UserError!]! cartUserErrors: [CartError!]! }
      type DropPayload { errorCount: Int }
      type UserError { field: [String!] message: String! code: ErrorCode cause: Item }
      type CartError { message: String! }
      type Item { message: String name: String }
      enum ErrorCode { BAD }
      """, usedBy: "buildMutation add")
    #expect(
      module.keptFields == [
        "AddPayload.userErrors", "AddPayload.cartUserErrors", "CartError.message", "Mutation.add",
        "UserError.field", "UserError.message", "UserError.code",
      ])
    #expect(module.keptTypes.contains("ErrorCode"))
  }

  @Test func keepsFieldsOfUserErrorsReachedEarlier() throws {
    let module = try Generation(
      """
      type Query { last: UserError add: Payload }
      type UserError { message: String! code: Int }
      type Payload { userErrors: [UserError!]! }
      """, usedBy: "buildQuery last add")
    #expect(module.keptFields.contains("UserError.code"))
  }
}
