// A first query, written by `graphql-generator init`. This file is yours.
import Foundation
import GraphClient
import ShopAPI

let client = Graph.Client(endpoint: URL(string: "https://shop.test/graphql")!)

let query = API.buildQuery {
  $0.`default` {
    $0.self_ {
      $0.init_ {
        $0.`class`()
      }
    }
  }
}

do {
  let response = try await client.query(query)
  let root = try response.requireData()
  print(root.`default`?.self_.init_.prefix(3).compactMap { $0.`class` } ?? [])
  for error in response.errors { print("The service reports an error: \(error.message)") }
} catch {
  print("The query failed: \(error)")
  exit(1)
}
