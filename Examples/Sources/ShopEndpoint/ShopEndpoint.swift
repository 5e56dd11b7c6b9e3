import Foundation
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting

/// The shop for both programs: a service inside the process.
public enum ShopEndpoint {
  /// Any address is valid, since the endpoint is the transport.
  public static let address = URL(string: "https://shop.example/graphql")!

  public static func make() throws -> MockEndpoint {
    let file = URL(filePath: #filePath).appending(path: "../../ShopAPI/schema.graphqls")
    let bytes = try Array(Data(contentsOf: file.standardizedFileURL))
    let store = MockStore()
    store.save("Wishlist", id: "wishlist-1", ["title": "Birthday", "products": []])
    var resolvers = ResolverTable()
    resolvers["Mutation", "wish"] = { wish($0, store) }
    return try MockEndpoint(
      schema: try ServiceSchema.read([Source(name: "schema.graphqls", bytes: bytes)]),
      fixtures: Fixtures(["types": ["Product": .array(products)]]), store: store,
      resolvers: resolvers)
  }

  private static let products: [JSON] = [
    product("straw-hat", "Straw hat", "Plume", "24.90"),
    product("rain-cap", "Rain cap", "Drizzle", "31.00"),
    product("bowler", "Bowler", "Çelik", "89.00"),
  ]

  private static func product(_ id: String, _ title: String, _ maker: String, _ price: String)
    -> JSON
  {
    [
      "id": .string(id), "title": .string(title), "maker": .string(maker),
      "price": ["amount": .string(price), "currency": "EUR"],
    ]
  }

  /// A wish that already exists changes nothing, so it may be sent twice.
  private static func wish(_ context: FieldContext, _ store: MockStore) -> Resolved {
    guard case .string(let list)? = context.arguments["wishlistId"],
      let product = products.first(where: { $0["id"] == context.arguments["productId"] })
    else {
      return .json([
        "wishlist": nil, "userErrors": [["message": "There is no such hat.", "code": "NOT_FOUND"]],
      ])
    }
    store.update("Wishlist", id: list) { wishlist in
      guard case .array(let wished)? = wishlist["products"], !wished.contains(product) else {
        return
      }
      wishlist["products"] = .array(wished + [product])
    }
    return .json(["wishlist": ["id": .string(list)], "userErrors": []])
  }
}
