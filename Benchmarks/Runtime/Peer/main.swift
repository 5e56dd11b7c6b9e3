import Buy
import Foundation

// Measures the generated code of another SDK with the operations of `benchmarks`; see peer-cost. It
// prints a JSON object with the seconds of processor time per call.

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

@inline(never)
func use<Value>(_ value: Value) {}

/// The minimum of five runs, after one to warm up.
func secondsPerCall(repeating count: Int, _ body: () -> Void) -> Double {
  var least = Double.infinity
  for run in 0...5 {
    let start = processorSeconds()
    for _ in 0..<count { body() }
    if run > 0 { least = min(least, (processorSeconds() - start) / Double(count)) }
  }
  return least
}

/// 60 fields and their arguments, as in BuildingSuite.
func query() -> Storefront.QueryRootQuery {
  Storefront.buildQuery {
    $0
      .shop { $0.name().description().primaryDomain { $0.url().host() } }
      .products(first: 20, query: "hat") {
        $0
          .pageInfo { $0.hasNextPage().hasPreviousPage().startCursor().endCursor() }
          .nodes {
            $0
              .id().handle().title().description(truncateAt: 80).descriptionHtml().vendor().tags()
              .availableForSale().publishedAt().updatedAt()
              .priceRange {
                $0
                  .minVariantPrice { $0.amount().currencyCode() }
                  .maxVariantPrice { $0.amount().currencyCode() }
              }
              .options { $0.name().values() }
              .featuredImage { $0.id().url().altText().width().height() }
              .variants(first: 10) {
                $0
                  .nodes {
                    $0
                      .id().title().sku().availableForSale().quantityAvailable().weight()
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

/// A listing of about 1 MB, of the form that ReadingSuite reads.
func listing() -> Data {
  let money: [String: Any] = ["amount": "412.75", "currencyCode": "EUR"]
  func product(_ number: Int) -> [String: Any] {
    let images = (0..<2).map { image -> [String: Any] in
      [
        "url": "https://cdn.example.com/files/\(number)/\(image).jpg?v=\(number * 97)",
        "altText": image == 0 ? NSNull() : "hat, view \(image)" as Any, "width": 1_200,
        "height": 900,
      ]
    }
    let variants = (0..<3).map { variant -> [String: Any] in
      [
        "id": "gid://feathers/ProductVariant/\(number)-\(variant)", "title": "Size \(variant)",
        "sku": variant == 0 ? NSNull() : "SKU-\(number)-\(variant)" as Any,
        "availableForSale": variant == 1, "weight": Double(number) + 0.0625, "price": money,
        "compareAtPrice": variant == 2 ? NSNull() : money as Any,
        "selectedOptions": [
          ["name": "Size", "value": "S"], ["name": "Colour", "value": "Grün"],
        ],
      ]
    }
    return [
      "id": "gid://feathers/Product/\(number)", "handle": "product-\(number)",
      "title": "Größer hat \(number)",
      "description": "A hat for every weather, made of felt & patience. Nº \(number)",
      "vendor": "O’Hara", "tags": ["tag-0", "tag-1"], "availableForSale": true,
      "publishedAt": "2026-01-17T09:30:00Z", "updatedAt": "2026-01-31T23:59:59Z",
      "priceRange": ["minVariantPrice": money, "maxVariantPrice": money],
      "images": ["nodes": images], "variants": ["nodes": variants],
    ]
  }
  let data: [String: Any] = ["data": ["products": ["nodes": (0..<490).map(product)]]]
  return try! JSONSerialization.data(withJSONObject: data)
}

let bytes = listing()
let figures = [
  "build and print": secondsPerCall(repeating: 1_000) { use(String(describing: query())) },
  "bytes to root, per MB": secondsPerCall(repeating: 1) {
    use(try! GraphQLResponse<Storefront.QueryRoot>(jsonData: bytes))
  } * 1e6 / Double(bytes.count),
]
print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
