import GraphJSON
@testable import GraphStore
import GraphQLRuntime
import StorefrontAPI

/// A server's bytes are refused, or every selected value can be read.
enum ResponseTarget: FuzzTarget {
  static let name = "response"

  private static let operation: GraphQL.Operation<Storefront.QueryRoot> = {
    let query = Storefront.buildQuery {
      $0
        .shop { $0.name() }
        .products(first: 3) {
          $0
            .nodes {
              $0
                .id().title().tags().availableForSale()
                .priceRange { $0.min { $0.amount().currencyCode() } }
            }
            .pageInfo { $0.hasNextPage().endCursor() }
        }
        .node(id: GraphQL.ID(rawValue: "1")) { $0.id().onProduct { $0.vendor() } }
    }
    do {
      return try query.operation()
    } catch {
      fatalError("\(error)")
    }
  }()

  static func run(_ input: [UInt8]) {
    guard let response = try? operation.response(from: input) else { return }
    for error in response.errors { _ = (error.message, error.path, error.locations) }
    guard let data = response.data else { return }
    _ = data.shop.name
    for product in data.products.nodes { ProductReading.read(product) }
    _ = (data.products.pageInfo.hasNextPage, data.products.pageInfo.endCursor)
    if let node = data.node {
      _ = node.id
      if let product = node as? Storefront.Product { _ = product.vendor }
    }
    // No bytes of a server stop the process.
    walk(data, depth: 0)
  }

  private static func walk(_ object: GraphQL.AbstractResponse, depth: Int) {
    for name in ["shop", "products", "node", "nodes", "priceRange", "min", "amount", "title"] {
      switch object.field(name) {
      case let object as GraphQL.AbstractResponse where depth < 8: walk(object, depth: depth + 1)
      case let list as [Any]:
        for case let object as GraphQL.AbstractResponse in list where depth < 8 {
          walk(object, depth: depth + 1)
        }
      default: break
      }
    }
  }
}

private enum ProductReading {
  static func read(_ product: Storefront.Product) {
    _ = (product.id, product.title, product.tags, product.availableForSale)
    _ = (product.priceRange.min.amount, product.priceRange.min.currencyCode)
  }
}

/// The record of a damaged file: values that do not match the schema are missing, and nothing stops
/// the process.
enum RecordTarget: FuzzTarget {
  static let name = "record"

  private static let policies = Policies(schema: Storefront.schema, overrides: [:])

  static func run(_ input: [UInt8]) {
    guard let json = input.withUnsafeBytes({ JSONDocument(record: $0) }) else { return }
    // Every link leads to the record itself.
    let graph = StoredGraph(policies: policies) { _ in json }
    let reader = Graph.ObjectReader(
      policies: policies, reading: OneRecord(json: json, links: graph))
    read(reader.object(json), depth: 0)
  }

  private static func read(_ product: Storefront.Product, depth: Int) {
    _ = (try? product.read(\.id), try? product.read(\.title), try? product.read(\.tags))
    _ = (try? product.read(\.availableForSale), product.rawText(\.title), product.has(\.vendor))
    _ = try? product.read(\.priceRange.min.amount)
    _ = try? product.read(\.priceRange.min.currencyCode)
    _ = (product.field("title"), product.field("priceRange"))
    _ = try? product.value(\.title, arguments: [:])
  }

  private struct OneRecord: RecordReading {
    let json: JSONDocument
    let links: StoredGraph

    func withRecords<T>(
      _ body: (any RecordSource) throws(Graph.StoreError) -> T
    ) throws(Graph.StoreError) -> T {
      throw Graph.StoreError(.file, "a fuzzed record has no neighbours")
    }

    func record(_ key: GraphQL.EntityKey) -> JSONDocument? { json }
  }
}
