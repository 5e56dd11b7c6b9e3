import Foundation
import GraphQLSchema

/// The large real schemas, which are in a folder next to the repository.
enum LargeSchemas {
  static let names = ["github.graphql", "shopify-storefront.json"]
  static let exist = names.allSatisfy { FileManager.default.fileExists(atPath: file($0).path) }

  static func schema(_ name: String) throws -> ServiceSchema {
    try ServiceSchema.read([Source(name: name, bytes: Array(Data(contentsOf: file(name))))])
  }

  private static func file(_ name: String) -> URL {
    URL(filePath: #filePath).appending(path: "../../../../../shared/schemas/\(name)")
      .standardizedFileURL
  }
}
