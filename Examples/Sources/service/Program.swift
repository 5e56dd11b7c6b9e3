import Foundation
import GraphClient
import GraphQLRuntime
import ShopAPI
import ShopEndpoint

/// A service in front of the shop. It reads requests, one per line (`products` or `product ID`),
/// and handles them as they arrive, all with one client.
@main
struct Program {
  static func main() async {
    do {
      let endpoint = try ShopEndpoint.make()
      let frontend = Frontend(transport: endpoint)
      try await withThrowingTaskGroup { group in
        while let request = readLine() {
          group.addTask { print(await frontend.response(request)) }
        }
        try await group.waitForAll()
      }
      print("The shop received \(endpoint.requests.count) requests.")
    } catch {
      print("service: \(error)")
      exit(1)
    }
  }
}

/// The resources that all requests share.
struct Frontend: Sendable {
  private let client: Graph.Client

  /// - Parameter transport: URLSession in production.
  init(transport: any Graph.Transport) {
    var configuration = Graph.ClientConfiguration()
    // Only for this process. Equal queries that are in progress share one request anyway.
    configuration.storage = Graph.MemoryStorage()
    configuration.timeout = .seconds(5)
    client = Graph.Client(
      endpoint: ShopEndpoint.address, transport: transport, cachePolicy: .cacheFirst(expireIn: 60),
      configuration: configuration)
  }

  /// A line for the requester, without details of errors.
  func response(_ request: String) async -> String {
    let words = request.split(separator: " ")
    do {
      switch (words.first, words.dropFirst().first) {
      case ("products", nil): return try await products()
      case ("product", let id?): return try await product(GraphQL.ID(rawValue: String(id)))
      default: return "400 there is no such request"
      }
    } catch {
      FileHandle.standardError.write(Data("service: \(error)\n".utf8))
      return "502 the shop does not respond"
    }
  }

  private func products() async throws -> String {
    let query = Shop.buildQuery(named: "Products") {
      $0.products(first: 20) { $0.nodes { $0.id() } }
    }
    let root = try await client.query(query).requireData()
    return "200 \(root.products.nodes.map(\.id.rawValue).joined(separator: " "))"
  }

  private func product(_ id: GraphQL.ID) async throws -> String {
    let query = Shop.buildQuery(named: "Product") {
      $0.product(id: id) { $0.title().price { $0.amount().currency() } }
    }
    guard let product = try await client.query(query).requireData().product else {
      return "404 there is no product \(id)"
    }
    return "200 \(product.title): \(product.price.amount) \(product.price.currency)"
  }
}
