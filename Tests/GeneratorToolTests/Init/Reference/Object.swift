// A first query, written by `graphql-generator init`. This file is yours.
import Foundation
import GraphClient
import ShopAPI

let client = Graph.Client(endpoint: URL(string: "https://shop.test/graphql")!)

let query = API.buildQuery {
  $0.shop {
    $0.name()
  }
}

do {
  let root = try await client.query(query).requireData()
  print(root.shop.name)
} catch {
  print("The query failed: \(error)")
  exit(1)
}
