import Foundation
import GraphQLSchema

/// The large real schemas, which are in a folder next to the repository.
enum SharedSchemas {
  static let directory = URL(filePath: #filePath)
    .appending(path: "../../../../../shared/schemas").standardizedFileURL

  static let github = "github.graphql"
  static let storefront = "shopify-storefront.json"
  static let customerAccount = "shopify-customer-account.json"
  static let all = [github, storefront, customerAccount]

  static let exist = all.allSatisfy {
    FileManager.default.fileExists(atPath: directory.appending(path: $0).path)
  }

  static func source(_ name: String) throws -> Source {
    let data = try Data(contentsOf: directory.appending(path: name))
    return Source(name: name, bytes: Array(data))
  }
}
