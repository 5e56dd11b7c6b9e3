// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target: existentials are spelled `any`, and a file sees only what it imports.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Treeswift",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "GraphJSON", targets: ["GraphJSON"]),
    .library(name: "GraphQLSchema", targets: ["GraphQLSchema"]),
    .library(name: "GraphQLCodeGen", targets: ["GraphQLCodeGen"]),
    .library(name: "GraphQLRuntime", targets: ["GraphQLRuntime"]),
  ],
  targets: [
    .target(name: "GraphJSON", swiftSettings: settings),
    .target(name: "GraphQLSchema", dependencies: ["GraphJSON"], swiftSettings: settings),
    .target(
      name: "GraphQLCodeGen", dependencies: ["GraphQLSchema", "GraphJSON"], swiftSettings: settings),
    .target(name: "GraphQLRuntime", dependencies: ["GraphJSON"], swiftSettings: settings),

    .testTarget(name: "GraphJSONTests", dependencies: ["GraphJSON"], swiftSettings: settings),
    .testTarget(
      name: "GraphQLSchemaTests", dependencies: ["GraphQLSchema", "GraphJSON"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLCodeGenTests", dependencies: ["GraphQLCodeGen", "GraphQLSchema"],
      exclude: ["Reference"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLRuntimeTests", dependencies: ["GraphQLRuntime", "GraphJSON"],
      swiftSettings: settings),
  ]
)
