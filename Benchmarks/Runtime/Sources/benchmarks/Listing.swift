import GraphJSON
import GraphQLRuntime
import StorefrontAPI

/// A product listing generated from a seed, as a server would send it: nulls, escapes, non-ASCII
/// text, numbers and nested lists.
struct Listing {
  let operation: GraphQL.Operation<Storefront.QueryRoot>
  let bytes: [UInt8]

  init(byteCount: Int, seed: UInt64 = 7) throws {
    operation = try Self.query().operation()
    var random = Random(state: seed)
    // A product has about this many bytes.
    let count = max(1, byteCount / 2_050)
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("data")
    writer.beginObject()
    writer.key("products")
    writer.beginObject()
    writer.key("nodes")
    writer.beginArray()
    for number in 0..<count { Self.product(number, &random, &writer) }
    writer.endArray()
    writer.endObject()
    writer.endObject()
    writer.endObject()
    bytes = writer.finish()
  }

  static func query(first: Int = 250) -> Storefront.QueryRootQuery {
    Storefront.buildQuery(named: "Listing") {
      $0
        .products(first: first) {
          $0
            .nodes {
              $0
                .id().handle().title().description(truncateAt: 120).vendor().tags()
                .availableForSale().publishedAt().updatedAt()
                .priceRange {
                  $0
                    .min { $0.amount().currencyCode() }
                    .max { $0.amount().currencyCode() }
                }
                .images(first: 3) { $0.url().altText().width().height() }
                .variants(first: 4) {
                  $0
                    .nodes {
                      $0
                        .id().title().sku().availableForSale().weight()
                        .price { $0.amount().currencyCode() }
                        .compareAtPrice { $0.amount().currencyCode() }
                        .selectedOptions { $0.name().value() }
                    }
                }
            }
        }
    }
  }

  private static func product(_ number: Int, _ random: inout Random, _ writer: inout JSONWriter) {
    let adjective = random.pick(["Plain", "Größer", "Señor", "雨", "\"Quoted\"", "Back\\slash"])
    let noun = random.pick(["hat", "cap", "bonnet", "chapeau", "帽子", "beret\n"])
    writer.object { writer in
      writer.member("id", "gid://feathers/Product/\(number)")
      writer.member("handle", "product-\(number)")
      writer.member("title", "\(adjective) \(noun) \(number)")
      writer.member(
        "description", "A \(noun) for every weather, made of felt & patience. Nº \(number)")
      writer.member("vendor", random.pick(["Plume", "Drizzle", "O’Hara", "Çelik"]))
      writer.key("tags")
      writer.list(random.next(5)) { $0.string("tag-\($1)") }
      writer.member("availableForSale", random.next(4) != 0)
      writer.key("publishedAt")
      random.next(6) == 0
        ? writer.null() : writer.string("2026-0\(1 + random.next(9))-17T09:30:00Z")
      writer.member("updatedAt", "2026-01-31T23:59:59.\(100 + random.next(900))+02:00")
      writer.key("priceRange")
      writer.object { writer in
        money("min", &random, &writer)
        money("max", &random, &writer)
      }
      writer.key("images")
      writer.list(1 + random.next(3)) { writer, image in
        writer.object { writer in
          writer.member(
            "url", "https://cdn.example.com/files/\(number)/\(image).jpg?v=\(random.next(99_999))")
          writer.key("altText")
          random.next(3) == 0 ? writer.null() : writer.string("\(noun), view \(image)")
          writer.member("width", 1_200 + random.next(800))
          writer.member("height", 900 + random.next(800))
        }
      }
      writer.key("variants")
      writer.object { writer in
        writer.key("nodes")
        writer.list(2 + random.next(3)) { variant(number, $1, &random, &$0) }
      }
    }
  }

  private static func variant(
    _ product: Int, _ number: Int, _ random: inout Random, _ writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("id", "gid://feathers/ProductVariant/\(product)-\(number)")
      writer.member("title", "Size \(number)")
      writer.key("sku")
      random.next(5) == 0 ? writer.null() : writer.string("SKU-\(product)-\(number)")
      writer.member("availableForSale", random.next(2) == 0)
      writer.key("weight")
      random.next(3) == 0
        ? writer.null() : writer.number(JSON.Number(Double(random.next(9_000)) / 16)!)
      money("price", &random, &writer)
      writer.key("compareAtPrice")
      if random.next(2) == 0 { writer.null() } else { moneyValue(&random, &writer) }
      writer.key("selectedOptions")
      writer.list(2) { writer, option in
        writer.object { writer in
          writer.member("name", option == 0 ? "Size" : "Colour")
          writer.member("value", random.pick(["S", "M", "L", "Grün", "Bleu"]))
        }
      }
    }
  }

  private static func money(_ key: String, _ random: inout Random, _ writer: inout JSONWriter) {
    writer.key(key)
    moneyValue(&random, &writer)
  }

  private static func moneyValue(_ random: inout Random, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("amount", "\(random.next(900)).\(10 + random.next(90))")
      writer.member("currencyCode", "EUR")
    }
  }
}

/// A small generator of pseudo-random numbers, the same everywhere.
struct Random {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  mutating func pick(_ choices: [String]) -> String { choices[next(choices.count)] }
}

extension JSONWriter {
  fileprivate mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  fileprivate mutating func list(_ count: Int, _ element: (inout JSONWriter, Int) -> Void) {
    beginArray()
    for position in 0..<count { element(&self, position) }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  fileprivate mutating func member(_ name: String, _ value: Bool) {
    key(name)
    bool(value)
  }

  fileprivate mutating func member(_ name: String, _ value: Int) {
    key(name)
    int(value)
  }
}
