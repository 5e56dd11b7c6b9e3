import Foundation
import GraphClient
import GraphQLSchema
import GraphTesting

/// The source of the program's responses.
enum Service {
  private static let address = URL(string: "https://api.github.com/graphql")!

  /// GitHub if there is a token for it, otherwise a mock endpoint that generates its responses.
  static func client() throws -> Graph.Client {
    guard let token = ProcessInfo.processInfo.environment["GITHUB_TOKEN"], !token.isEmpty else {
      return Graph.Client(endpoint: address, transport: try embedded())
    }
    return Graph.Client(
      endpoint: address,
      headers: ["Authorization": "Bearer \(token)", "User-Agent": "Treeswift-example"],
      cachePolicy: .networkFirst(expireIn: 3600))
  }

  private static func embedded() throws -> MockEndpoint {
    let file = URL(filePath: #filePath).appending(path: "../../GitHubAPI/schema.graphqls")
    let bytes = try Array(Data(contentsOf: file.standardizedFileURL))
    return try MockEndpoint(
      schema: try ServiceSchema.read([Source(name: "schema.graphqls", bytes: bytes)]),
      options: MockOptions(seed: 3, connectionLength: 12),
      fixtures: Fixtures(["types": ["Repository": ["nameWithOwner": "swiftlang/swift"]]]))
  }
}
