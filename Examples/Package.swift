// swift-tools-version: 6.2
import PackageDescription

/// Four programs that use Treeswift as any other package would. Your package names a version or a
/// commit instead of a path.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Treeswift", path: "..")],
  targets: [
    // An excerpt of GitHub's schema, pruned to the part that `github` uses.
    .target(
      name: "GitHubAPI",
      dependencies: [.product(name: "GraphQLRuntime", package: "Treeswift")],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),
    .executableTarget(
      name: "github",
      dependencies: [
        "GitHubAPI", .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
        .product(name: "GraphQLSchema", package: "Treeswift"),
        .product(name: "GraphTesting", package: "Treeswift"),
      ]),

    // A small shop, for a program that works offline and for a server program.
    .target(
      name: "ShopAPI",
      dependencies: [.product(name: "GraphQLRuntime", package: "Treeswift")],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),
    .target(
      name: "ShopEndpoint",
      dependencies: [
        .product(name: "GraphJSON", package: "Treeswift"),
        .product(name: "GraphQLExecution", package: "Treeswift"),
        .product(name: "GraphQLSchema", package: "Treeswift"),
        .product(name: "GraphTesting", package: "Treeswift"),
      ]),
    .executableTarget(
      name: "shop",
      dependencies: [
        "ShopAPI", "ShopEndpoint", .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphOutbox", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
        .product(name: "GraphStore", package: "Treeswift"),
      ]),
    .executableTarget(
      name: "service",
      dependencies: [
        "ShopAPI", "ShopEndpoint", .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
      ]),

    // An app whose modules have GraphQL documents for one schema.
    .target(
      name: "BoutiqueAPI",
      dependencies: [.product(name: "GraphQLRuntime", package: "Treeswift")],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),
    .target(
      name: "BoutiqueUI",
      dependencies: [
        "BoutiqueAPI", .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
      ],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),
    .executableTarget(
      name: "boutique",
      dependencies: [
        "BoutiqueAPI", "BoutiqueUI", .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphJSON", package: "Treeswift"),
        .product(name: "GraphOutbox", package: "Treeswift"),
        .product(name: "GraphQLExecution", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
        .product(name: "GraphQLSchema", package: "Treeswift"),
        .product(name: "GraphStore", package: "Treeswift"),
        .product(name: "GraphTesting", package: "Treeswift"),
      ],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),
  ]
)
