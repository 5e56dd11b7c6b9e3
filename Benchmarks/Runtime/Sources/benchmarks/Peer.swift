import Foundation

/// The listing as plain structs, with synthesised conformances.
enum Peer {
  struct Envelope: Decodable, Hashable { let data: Root }
  struct Root: Decodable, Hashable { let products: Nodes<Product> }
  struct Nodes<Node: Decodable & Hashable>: Decodable, Hashable { let nodes: [Node] }
  struct Money: Decodable, Hashable {
    let amount: String
    let currencyCode: String
  }
  struct Range: Decodable, Hashable {
    let min: Money
    let max: Money
  }
  struct Image: Decodable, Hashable {
    let url: URL
    let altText: String?
    let width: Int?
    let height: Int?
  }
  struct Option: Decodable, Hashable {
    let name: String
    let value: String
  }
  struct Variant: Decodable, Hashable {
    let id: String
    let title: String
    let sku: String?
    let availableForSale: Bool
    let weight: Double?
    let price: Money
    let compareAtPrice: Money?
    let selectedOptions: [Option]
  }
  struct Product: Decodable, Hashable {
    let id: String
    let handle: String
    let title: String
    let description: String
    let vendor: String
    let tags: [String]
    let availableForSale: Bool
    let publishedAt: String?
    let updatedAt: String
    let priceRange: Range
    let images: [Image]
    let variants: Nodes<Variant>
  }
}
