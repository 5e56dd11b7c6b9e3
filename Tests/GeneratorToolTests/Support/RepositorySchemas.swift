import Foundation

/// The example schema in the package's root.
enum RepositorySchemas {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  static let sdl = "\(root)/schema.graphql"
  static let introspection = "\(root)/schema.json"
}
