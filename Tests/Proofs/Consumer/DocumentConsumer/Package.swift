// swift-tools-version: 6.2
import PackageDescription

let plugins: [Target.PluginUsage] = [.plugin(name: "GraphQLGenerator", package: "Treeswift")]

/// A program whose modules have GraphQL documents for one schema; `Tests/run plugin-consumer` builds a
/// copy of it.
let package = Package(
  name: "DocumentConsumer",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Treeswift", path: "../../../..")],
  targets: [
    // Only the schema and its types.
    .target(
      name: "BooksAPI",
      dependencies: [.product(name: "GraphQLRuntime", package: "Treeswift")], plugins: plugins),
    // Fragments, for the operations of other modules.
    .target(
      name: "BookUI",
      dependencies: ["BooksAPI", .product(name: "GraphQLRuntime", package: "Treeswift")],
      plugins: plugins),
    // Operations. The module of the schema is a dependency of a dependency.
    .executableTarget(
      name: "BookApp",
      dependencies: ["BookUI", .product(name: "GraphQLRuntime", package: "Treeswift")],
      plugins: plugins),
    // Another schema, with documents of its own.
    .target(
      name: "MusicAPI",
      dependencies: [.product(name: "GraphQLRuntime", package: "Treeswift")], plugins: plugins),
  ]
)
