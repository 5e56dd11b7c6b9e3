// swift-tools-version: 6.2
import PackageDescription

let generator: Target.PluginUsage = .plugin(name: "GraphQLGenerator", package: "Treeswift")

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "Treeswift") }

/// Five programs that use Treeswift as any other package would. Your package names a version or a
/// commit instead of a path.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Treeswift", path: "..")],
  targets: [
    // An excerpt of GitHub's schema, pruned to the part that `github` uses.
    .target(
      name: "GitHubAPI",
      dependencies: [product("GraphQLRuntime")],
      plugins: [generator]),
    .executableTarget(
      name: "github",
      dependencies: [
        "GitHubAPI", product("GraphClient"), product("GraphQLRuntime"), product("GraphQLSchema"),
        product("GraphTesting"),
      ]),

    // A small shop, for a program that works offline and for a server program.
    .target(
      name: "ShopAPI",
      dependencies: [product("GraphQLRuntime")],
      plugins: [generator]),
    .target(
      name: "ShopEndpoint",
      dependencies: [
        product("GraphJSON"), product("GraphQLExecution"), product("GraphQLSchema"),
        product("GraphTesting"),
      ]),
    .executableTarget(
      name: "shop",
      dependencies: [
        "ShopAPI", "ShopEndpoint", product("GraphClient"), product("GraphOutbox"),
        product("GraphQLRuntime"), product("GraphStore"),
      ]),
    .executableTarget(
      name: "service",
      dependencies: [
        "ShopAPI", "ShopEndpoint", product("GraphClient"), product("GraphQLRuntime"),
      ]),

    // An app whose modules have GraphQL documents for one schema.
    .target(
      name: "BoutiqueAPI",
      dependencies: [product("GraphQLRuntime")],
      plugins: [generator]),
    .target(
      name: "BoutiqueUI",
      dependencies: [
        "BoutiqueAPI", product("GraphClient"), product("GraphQLRuntime"),
      ],
      plugins: [generator]),
    .executableTarget(
      name: "boutique",
      dependencies: [
        "BoutiqueAPI", "BoutiqueUI", product("GraphClient"),
        product("GraphJSON"),
        product("GraphOutbox"), product("GraphQLExecution"), product("GraphQLRuntime"),
        product("GraphQLSchema"), product("GraphStore"), product("GraphTesting"),
      ],
      plugins: [generator]),

    // A screen in a terminal.
    .target(
      name: "NotesAPI",
      dependencies: [product("GraphQLRuntime")],
      plugins: [generator]),
    .executableTarget(
      name: "notes",
      dependencies: [
        "NotesAPI", product("GraphClient"), product("GraphLive"), product("GraphJSON"),
        product("GraphOutbox"),
        product("GraphQLExecution"), product("GraphQLRuntime"), product("GraphQLSchema"),
        product("GraphStore"), product("GraphTesting"),
      ],
      plugins: [generator]),
  ]
)
