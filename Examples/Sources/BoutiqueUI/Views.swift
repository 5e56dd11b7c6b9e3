import GraphClient
import GraphQLRuntime

// In an app, these are views. Each one reads its own fragment, whatever operation selects that.

extension ProductCard {
  public var text: String { "\(title), \(price.priceTag.text)" }
}

extension PriceTag {
  public var text: String { "\(amount) \(currency)" }
}

/// The results of a search, one per line.
public func search(_ text: String, with client: Graph.Client) async throws -> [String] {
  try await client.query(SearchQuery(text: text)).requireData().search.map { result in
    switch result.kind {
    case .product(let product): product.productCard.text
    case .brand(let brand): "\(brand.name): \(brand.products.totalCount) products"
    case .other(let typeName): "a \(typeName)"
    }
  }
}
