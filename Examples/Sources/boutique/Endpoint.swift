import Foundation
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting

/// The service: a mock endpoint in the process.
func makeEndpoint() throws -> MockEndpoint {
  let file = URL(filePath: #filePath).appending(path: "../../BoutiqueAPI/schema.graphqls")
  let bytes = try Array(Data(contentsOf: file.standardizedFileURL))
  let store = MockStore()
  store.save("Cart", id: "cart-1", ["quantity": 0, "lines": []])
  var resolvers = ResolverTable()
  resolvers["Query", "search"] = { _ in
    .json([
      ["__typename": "Product", "id": "bowler"],
      ["__typename": "Brand", "id": "plume", "name": "Plume", "products": ["totalCount": 12]],
    ])
  }
  resolvers["Mutation", "addToCart"] = { context in
    guard let line = context.arguments["line"], let id = line["productId"],
      let product = products.first(where: { $0["id"] == id })
    else { return .json(["problem": "There is no such product."]) }
    store.update("Cart", id: "cart-1") { cart in
      cart["quantity"] = line["quantity"]
      cart["lines"] = [["quantity": line["quantity"] ?? 1, "product": product]]
    }
    return .json(["cart": ["id": "cart-1"]])
  }
  return try MockEndpoint(
    schema: try ServiceSchema.read([Source(name: "schema.graphqls", bytes: bytes)]),
    fixtures: Fixtures(["types": ["Product": .array(products)]]), store: store,
    resolvers: resolvers)
}

private let products: [JSON] = [
  product("straw-hat", "Straw hat", "24.90", reviews: []),
  product("rain-cap", "Rain cap", "31.00", reviews: []),
  product("bowler", "Bowler", "89.00", reviews: [["stars": 5, "text": "It does not bend."]]),
]

private func product(_ id: String, _ title: String, _ price: String, reviews: JSON) -> JSON {
  [
    "id": .string(id), "title": .string(title), "description": "A hat for all seasons.",
    "category": "HATS", "price": ["amount": .string(price), "currency": "EUR"],
    "brand": ["id": "plume", "name": "Plume"], "reviews": reviews,
  ]
}
