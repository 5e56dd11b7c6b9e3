// A first query, written by `graphql-generator init`. This file is yours.
import Foundation
import GraphClient
import ShopAPI

let client = Graph.Client(endpoint: URL(string: "https://shop.test/graphql")!)

let query = API.buildQuery {
  $0.allFilms(first: 3) {
    $0.edges {
      $0.node {
        $0.title()
      }
    }
  }
}

do {
  let response = try await client.query(query)
  let root = try response.requireData()
  print(root.allFilms?.edges?.compactMap { $0?.node?.title } ?? [])
  for error in response.errors { print("The service reports an error: \(error.message)") }
} catch {
  print("The query failed: \(error)")
  exit(1)
}
