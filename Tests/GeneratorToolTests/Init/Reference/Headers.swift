// A first query, written by `graphql-generator init`. This file is yours.
import Foundation
import GraphClient
import ShopAPI

/// Values that may be secret come from the environment, so that no file contains them.
func environment(_ name: String) -> String {
  guard let value = ProcessInfo.processInfo.environment[name] else {
    print("Set \(name) in the environment of this program.")
    exit(1)
  }
  return value
}

let client = Graph.Client(
  endpoint: URL(string: environment("GRAPHQL_ENDPOINT"))!,
  headers: [
    "Authorization": environment("GRAPHQL_AUTHORIZATION"),
    "X-Key": environment("GRAPHQL_X_KEY"),
    "x_key": environment("GRAPHQL_X_KEY_"),
  ])

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
