import Foundation

/// The large real schemas, which are in a folder next to the repository.
package enum SharedSchemas {
  private static let directory = URL(filePath: #filePath)
    .appending(path: "../../../../../shared/schemas").standardizedFileURL

  package static let github = "github.graphql"
  package static let storefront = "shopify-storefront.json"
  package static let customerAccount = "shopify-customer-account.json"
  package static let all = [github, storefront, customerAccount]

  package static let exist = all.allSatisfy {
    FileManager.default.fileExists(atPath: directory.appending(path: $0).path)
  }

  package static func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: directory.appending(path: name)))
  }
}
