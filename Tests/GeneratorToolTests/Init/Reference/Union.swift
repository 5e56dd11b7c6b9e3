// A first query, written by `graphql-generator init`. This file is yours.
import Foundation
import GraphClient
import ShopAPI

let client = Graph.Client(endpoint: URL(string: "https://shop.test/graphql")!)

let query = API.buildQuery {
  $0.search {
    $0.__typename()
  }
}

do {
  let root = try await client.query(query).requireData()
  print(root.search.prefix(3).map { $0.__typename })
} catch {
  print("The query failed: \(error)")
  exit(1)
}
