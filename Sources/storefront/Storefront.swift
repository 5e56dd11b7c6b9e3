import Foundation
import GraphQLRuntime
import StorefrontAPI

/// The main job in one program: a typed query is printed, and its answer is read.
@main
struct StorefrontDemo {
  static func main() throws {
    let card = Storefront.ProductQuery.fragment("ProductCard") {
      $0
        .title()
        .vendor()
        .priceRange { $0.min { $0.amount().currencyCode() } }
    }
    let query = Storefront.buildQuery(named: "Home") {
      $0
        .shop { $0.name() }
        .products(first: 2) { $0.nodes { $0.spread(card) } }
        .node(alias: "hats", id: "gid://feathers/Collection/7") { $0.onCollection { $0.title() } }
    }
    print("The query, as a person reads it:\n\n\(query)\n")

    let operation = try query.operation()
    print("The request that is sent:\n\n\(operation.document)")
    print("\(String(decoding: operation.variables, as: UTF8.self))\n")

    let response = try operation.response(from: Array(answer.utf8))
    guard let data = response.data else { return }
    print("The answer, read through generated classes:\n\n\(data.shop.name)")
    for product in data.products.nodes {
      let price = product.priceRange.min
      print(
        "  \(product.title) by \(product.vendor): \(price.amount) \(price.currencyCode.rawValue)")
    }
    if let hats = data.aliasedNode(alias: "hats") as? Storefront.Collection {
      print("  and all of \(hats.title)")
    }
    for error in response.errors { print("  (\(error))") }
  }

  /// What a server could say.
  private static let answer = #"""
    {"data": {"shop": {"name": "Feathers & Co"},
      "products": {"nodes": [
        {"title": "Straw hat", "vendor": "Plume",
         "priceRange": {"min": {"amount": "24.90", "currencyCode": "EUR"}}},
        {"title": "Rain cap", "vendor": "Drizzle",
         "priceRange": {"min": {"amount": "31.00", "currencyCode": "EUR"}}}]},
      "node__hats": {"__typename": "Collection", "title": "Hats"}},
     "errors": [{"message": "Stock levels are late.", "path": ["products", "nodes", 1]}]}
    """#
}
