// swift-tools-version: 6.2
import PackageDescription

// The fuzzer; `Tests/run fuzz` builds it with libFuzzer, which adds its own main function to every
// executable, so that this package must not have another one. `Sources` and `Generated` are links
// to folders of the repository.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A module of the library. Its dependencies are those of the root manifest.
func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(name)",
    swiftSettings: settings + [.strictMemorySafety()])
}

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v14)],
  targets: [
    module("GraphJSON"),
    module("GraphQLSchema", "GraphJSON"),
    module("GraphQLPrinting", "GraphQLSchema", "GraphJSON"),
    module("GraphQLCodeGen", "GraphQLSchema", "GraphJSON"),
    .target(name: "CTreeswiftAtomics", path: "Sources/CTreeswiftAtomics"),
    module("GraphQLRuntime", "CTreeswiftAtomics", "GraphJSON"),
    module(
      "GraphClient", "GraphQLRuntime", "GraphJSON",
      .target(name: "CCurl", condition: .when(platforms: [.linux]))),
    module(
      "GraphWebSocket", "GraphClient", "GraphQLRuntime", "GraphJSON",
      .target(name: "CCurl", condition: .when(platforms: [.linux]))),
    module("GraphStorage", "GraphQLRuntime", "GraphJSON"),
    module(
      "GraphStore", "GraphStorage", "GraphQLRuntime", "GraphJSON",
      .target(name: "CSQLite", condition: .when(platforms: [.linux]))),
    .target(
      name: "CCurl", path: "Sources/CCurl",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .systemLibrary(name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3"),
    .target(
      name: "StorefrontAPI", dependencies: ["GraphQLRuntime"], path: "Generated",
      swiftSettings: settings),
    .executableTarget(
      name: "fuzzer",
      dependencies: [
        "GraphJSON", "GraphQLSchema", "GraphQLPrinting", "GraphQLCodeGen", "GraphQLRuntime",
        "GraphClient", "GraphWebSocket", "GraphStore", "StorefrontAPI",
      ],
      path: "Fuzzer", swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
  ]
)
