import GraphQLRuntime
import StorefrontAPI

/// A query of 60 fields with 6 arguments, built and printed.
enum BuildingSuite {
  static func suite() throws -> Suite {
    Suite(
      name: "Building a query of 60 fields", unit: .time,
      rows: [
        Suite.Row(name: "Treeswift: build") { secondsPerCall(repeating: 2_000) { use(query()) } },
        Suite.Row(name: "Treeswift: build and make the operation") {
          try secondsPerCall(repeating: 2_000) { use(try query().operation()) }
        },
        Suite.Row(name: "Treeswift: the same, never printed before") {
          try secondsPerCall(repeating: 2_000 / names.count) {
            for name in names { use(try query(named: name).operation()) }
          } / Double(names.count)
        },
        Suite.Row(name: "Treeswift, typed operation: make the operation") {
          try secondsPerCall(repeating: 2_000) {
            use(
              try PageQuery(
                first: 20, query: "hat", length: 80, imageCount: 5, variantCount: 10, handle: "hats"
              ).operation())
          }
        },
        Suite.Row(name: "joining the same text from an array", isReference: true) {
          secondsPerCall(repeating: 2_000) { use(words.joined(separator: " ")) }
        },
      ])
  }

  private static let words = query().description.split(separator: " ").map(String.init)

  /// More than the runtime keeps, so that each is dropped before it is used again.
  private static let names = (0..<40).map { "Page\($0)" }

  static func query(named name: String = "Page") -> Storefront.QueryRootQuery {
    Storefront.buildQuery(named: name) {
      $0
        .shop { $0.name().description().url().currencyCode() }
        .products(first: 20, query: "hat") {
          $0
            .pageInfo { $0.hasNextPage().hasPreviousPage().startCursor().endCursor() }
            .nodes {
              $0
                .id().handle().title().description(truncateAt: 80).descriptionHtml().vendor().tags()
                .availableForSale().publishedAt().updatedAt()
                .priceRange {
                  $0
                    .min { $0.amount().currencyCode() }
                    .max { $0.amount().currencyCode() }
                }
                .options { $0.name().values() }
                .images(first: 5) { $0.id().url().altText().width().height() }
                .variants(first: 10) {
                  $0
                    .nodes {
                      $0
                        .id().title().sku().availableForSale().inventoryUnits().weight()
                        .price { $0.amount().currencyCode() }
                        .compareAtPrice { $0.amount().currencyCode() }
                        .image { $0.url() }
                        .selectedOptions { $0.name().value() }
                    }
                }
            }
        }
        .collection(handle: "hats") { $0.id().title() }
    }
  }
}
