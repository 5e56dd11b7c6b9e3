import Foundation

/// The `*.graphql` files of a target.
enum GraphQLFile {
  /// Whether a file is a schema: by its name, or by its contents if its extension is `graphql`.
  static func isSchema(_ file: URL) -> Bool {
    switch file.pathExtension {
    case "graphqls": true
    case "graphql": !isDocument(file)
    default: file.lastPathComponent == "schema.json"
    }
  }

  /// Whether a file has operations and fragments. A new, empty file counts: its code is generated as
  /// soon as it has contents.
  static func isDocument(_ file: URL) -> Bool {
    guard file.pathExtension == "graphql" else { return false }
    let bytes = (try? Data(contentsOf: file, options: .mappedIfSafe)) ?? Data()
    return DocumentKind(of: Array(bytes)).isDocument(named: file.lastPathComponent)
  }
}
