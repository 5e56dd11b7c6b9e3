import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting

/// A hat shop that keeps its carts in memory.
enum EmbeddedShop {
  static let cartID = "gid://feathers/Cart/1"
  static let checkoutID = "gid://feathers/Checkout/1"
  static let orderID = "gid://feathers/Order/1001"

  static func endpoint(_ schema: ServiceSchema) throws -> MockEndpoint {
    let store = MockStore()
    return try MockEndpoint(
      schema: schema, options: MockOptions(seed: 7, eventInterval: .milliseconds(150)),
      fixtures: Fixtures(fixtures), store: store, resolvers: resolvers(store))
  }

  private static let hats: [(name: String, vendor: String, price: Int)] = [
    ("Straw hat", "Plume", 2490), ("Rain cap", "Drizzle", 3100), ("Felt bonnet", "O’Hara", 4550),
    ("Bowler", "Çelik", 8900),
  ]

  private static var fixtures: JSON {
    let products = hats.enumerated().map { number, hat -> JSON in
      [
        "id": .string("gid://feathers/Product/\(number + 1)"), "title": .string(hat.name),
        "vendor": .string(hat.vendor),
        "priceRange": ["min": money(hat.price), "max": money(hat.price)],
        "variants": [
          ["id": variant(number), "title": "One size", "price": money(hat.price)]
        ],
      ]
    }
    return [
      "types": [
        "Shop": ["name": "Feathers & Co", "description": "Hats for every weather."],
        "Product": .array(products), "CurrencyCode": "EUR",
        "Collection": [["id": "gid://feathers/Collection/7", "title": "Hats", "handle": "hats"]],
      ]
    ]
  }

  private static func variant(_ number: Int) -> JSON {
    .string("gid://feathers/ProductVariant/\(number + 1)")
  }

  private static func money(_ cents: Int) -> JSON {
    let remainder = cents % 100
    return [
      "amount": .string("\(cents / 100).\(remainder < 10 ? "0" : "")\(remainder)"),
      "currencyCode": "EUR",
    ]
  }

  private static func resolvers(_ store: MockStore) -> ResolverTable {
    var resolvers = ResolverTable()
    resolvers["Mutation", "cartCreate"] = { _ in
      store.save("Cart", id: cartID, ["totalQuantity": 0, "lines": [], "cost": cost(0)])
      return .json(["cart": ["id": .string(cartID)], "userErrors": []])
    }
    resolvers["Mutation", "cartLinesAdd"] = { context in add(context, store) }
    resolvers["Mutation", "checkoutCreate"] = { _ in
      store.save("Checkout", id: checkoutID, ["ready": false, "total": money(6980)])
      return .json(["checkout": ["id": .string(checkoutID)], "userErrors": []])
    }
    // Ready at the third request.
    resolvers["QueryRoot", "node"] = { context in
      guard context.arguments["id"] == .string(checkoutID) else {
        return .json(["__typename": "Collection", "id": "gid://feathers/Collection/7"])
      }
      let requested = store.update("Counter", id: "checkout") { counter in
        let requested = (counter["asked"]?.integer ?? 0) + 1
        counter["asked"] = JSON(requested)
        return requested
      }
      return .json([
        "__typename": "Checkout", "id": .string(checkoutID), "ready": .bool(requested >= 3),
        "order": requested >= 3 ? ["id": .string(orderID), "name": "#1001"] : nil,
      ])
    }
    resolvers[eventsOf: "orderUpdated"] = { _ in
      AsyncThrowingStream<Resolved, any Error> { continuation in
        for status in ["UNFULFILLED", "PARTIAL", "FULFILLED"] {
          continuation.yield(
            .json([
              "orderUpdated": [
                "id": .string(orderID), "name": "#1001", "fulfilmentStatus": .string(status),
              ]
            ]))
        }
        continuation.finish()
      }
    }
    return resolvers
  }

  /// Puts lines into the cart; a hat that does not exist becomes a user error.
  private static func add(_ context: FieldContext, _ store: MockStore) -> Resolved {
    guard case .array(let inputs)? = context.arguments["lines"] else { return .null }
    var lines: [JSON] = []
    var errors: [JSON] = []
    var total = 0
    for (position, input) in inputs.enumerated() {
      let quantity = input["quantity"]?.integer ?? 1
      let number = hats.indices.first { variant($0) == input["merchandiseId"] }
      guard let number else {
        errors.append([
          "__typename": "CartUserError", "field": ["lines", .string("\(position)")],
          "message": "There is no such hat.",
        ])
        continue
      }
      total += hats[number].price * quantity
      lines.append([
        "id": .string("gid://feathers/CartLine/\(position + 1)"), "quantity": JSON(quantity),
        "merchandise": [
          "__typename": "ProductVariant", "id": variant(number),
          "title": .string(hats[number].name),
        ],
        "total": money(hats[number].price * quantity),
      ])
    }
    store.update("Cart", id: cartID) { cart in
      cart["lines"] = .array(lines)
      cart["totalQuantity"] = JSON(lines.count)
      cart["cost"] = cost(total)
    }
    return .json(["cart": ["id": .string(cartID)], "userErrors": .array(errors)])
  }

  private static func cost(_ cents: Int) -> JSON {
    ["subtotal": money(cents), "totalTax": nil, "total": money(cents)]
  }
}

extension JSON {
  fileprivate var integer: Int? {
    if case .number(let number) = self { number.int64.map(Int.init) } else { nil }
  }
}
