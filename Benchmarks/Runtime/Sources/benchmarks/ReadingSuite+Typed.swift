import Foundation
import GraphQLRuntime
import StorefrontAPI

extension ReadingSuite {
  /// The rows of the same listing as a typed operation.
  static func typedRows(_ bytes: [UInt8], repeats: Int) throws -> [Suite.Row] {
    let operation = try ListingQuery(first: 250).operation()
    return [
      Suite.Row(name: "Treeswift, typed operation: bytes to checked root") {
        try secondsPerCall(repeating: 8 * repeats) { use(try operation.response(from: bytes)) }
      },
      Suite.Row(name: "Treeswift, typed operation: and every field read") {
        try secondsPerCall(repeating: 4 * repeats) {
          use(readAll(try operation.response(from: bytes).data))
        }
      },
    ]
  }

  /// Reads the fields that the other function reads.
  private static func readAll(_ data: ListingQuery.Data?) -> Int {
    guard let data else { return 0 }
    var sum = 0
    for product in data.products.nodes {
      sum &+= product.id.rawValue.utf8.count &+ product.handle.utf8.count
      sum &+= product.title.utf8.count &+ product.description.utf8.count
      sum &+= product.vendor.utf8.count &+ product.tags.count
      sum &+= product.availableForSale ? 1 : 0
      sum &+= Int(product.publishedAt?.timeIntervalSince1970 ?? 0)
      sum &+= Int(product.updatedAt.timeIntervalSince1970)
      let range = product.priceRange
      sum &+= range.min.amount.exponent &+ (range.min.currencyCode == .eur ? 1 : 0)
      sum &+= range.max.amount.exponent &+ (range.max.currencyCode == .eur ? 1 : 0)
      for image in product.images {
        sum &+= image.url.absoluteString.utf8.count &+ (image.altText?.utf8.count ?? 0)
        sum &+= (image.width ?? 0) &+ (image.height ?? 0)
      }
      for variant in product.variants.nodes {
        sum &+= variant.id.rawValue.utf8.count &+ variant.title.utf8.count
        sum &+= variant.sku?.utf8.count ?? 0
        sum &+= variant.availableForSale ? 1 : 0
        sum &+= Int(variant.weight ?? 0)
        sum &+= variant.price.amount.exponent &+ (variant.price.currencyCode == .eur ? 1 : 0)
        if let price = variant.compareAtPrice {
          sum &+= price.amount.exponent &+ (price.currencyCode == .eur ? 1 : 0)
        }
        for option in variant.selectedOptions {
          sum &+= option.name.utf8.count &+ option.value.utf8.count
        }
      }
    }
    return sum
  }
}
