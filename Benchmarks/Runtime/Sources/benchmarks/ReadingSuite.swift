import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI

/// From the bytes of a response to values, compared with Foundation's two readers.
enum ReadingSuite {
  static func suite(_ name: String, byteCount: Int) throws -> Suite {
    let listing = try Listing(byteCount: byteCount)
    let bytes = listing.bytes
    let data = Data(bytes)
    let operation = listing.operation
    let repeats = max(1, 1_000_000 / byteCount)
    let typed = try typedRows(bytes, repeats: repeats)
    return Suite(
      name: name, unit: .time,
      rows: [
        Suite.Row(name: "GraphJSON: bytes to tape") {
          try secondsPerCall(repeating: 8 * repeats) { use(try JSONDocument(parsing: bytes)) }
        },
        Suite.Row(name: "Treeswift: bytes to checked root") {
          try secondsPerCall(repeating: 8 * repeats) { use(try operation.response(from: bytes)) }
        },
        Suite.Row(name: "Treeswift: the same in two passes") {
          try secondsPerCall(repeating: 8 * repeats) {
            use(try operation.responseInTwoPasses(from: bytes))
          }
        },
        Suite.Row(name: "Treeswift: and every field read") {
          try secondsPerCall(repeating: 4 * repeats) {
            use(readAll(try operation.response(from: bytes).data))
          }
        },
      ] + typed + [
        Suite.Row(name: "JSONDecoder: bytes to structs") {
          try secondsPerCall(repeating: repeats) {
            use(try JSONDecoder().decode(Peer.Envelope.self, from: data))
          }
        },
        Suite.Row(name: "JSONSerialization: bytes to dictionaries", isReference: true) {
          try secondsPerCall(repeating: repeats) {
            use(try JSONSerialization.jsonObject(with: data))
          }
        },
      ])
  }

  /// Reads each field once and adds the values, so that nothing is optimised away.
  static func readAll(_ root: Storefront.QueryRoot?) -> Int {
    guard let root else { return 0 }
    var sum = 0
    for product in root.products.nodes {
      sum &+= product.id.rawValue.utf8.count &+ product.handle.utf8.count
      sum &+= product.title.utf8.count &+ product.description.utf8.count
      sum &+= product.vendor.utf8.count &+ product.tags.count
      sum &+= product.availableForSale ? 1 : 0
      sum &+= Int(product.publishedAt?.timeIntervalSince1970 ?? 0)
      sum &+= Int(product.updatedAt.timeIntervalSince1970)
      let range = product.priceRange
      sum &+= read(range.min) &+ read(range.max)
      for image in product.images {
        sum &+= image.url.absoluteString.utf8.count &+ (image.altText?.utf8.count ?? 0)
        sum &+= Int(image.width ?? 0) &+ Int(image.height ?? 0)
      }
      for variant in product.variants.nodes { sum &+= read(variant) }
    }
    return sum
  }

  private static func read(_ variant: Storefront.ProductVariant) -> Int {
    var sum = variant.id.rawValue.utf8.count &+ variant.title.utf8.count
    sum &+= variant.sku?.utf8.count ?? 0
    sum &+= variant.availableForSale ? 1 : 0
    sum &+= Int(variant.weight ?? 0) &+ read(variant.price)
    sum &+= variant.compareAtPrice.map(read) ?? 0
    for option in variant.selectedOptions {
      sum &+= option.name.utf8.count &+ option.value.utf8.count
    }
    return sum
  }

  private static func read(_ money: Storefront.Money) -> Int {
    money.amount.exponent &+ (money.currencyCode == .eur ? 1 : 0)
  }
}
