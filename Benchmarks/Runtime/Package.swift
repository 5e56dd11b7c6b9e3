// swift-tools-version: 6.2
import PackageDescription

// Measures the generator, the runtime and the client. `Library`, `Generated` and `Tools` are links to
// folders of the repository, since the benchmarks use symbols and targets that other packages do not see.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let shipped = settings + [.strictMemorySafety()]

/// A module of the library. Its dependencies are those of the root manifest.
func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Library/\(name)", swiftSettings: shipped)
}

let package = Package(
  name: "runtime-benchmarks",
  platforms: [.macOS(.v14)],
  targets: [
    module("GraphJSON"),
    module("GraphQLSchema", "GraphJSON"),
    module("GraphQLExecution", "GraphQLSchema", "GraphJSON"),
    module("GraphQLCodeGen", "GraphQLSchema", "GraphJSON"),
    .target(name: "CTreeswiftAtomics", path: "Library/CTreeswiftAtomics"),
    module("GraphQLRuntime", "CTreeswiftAtomics", "GraphJSON"),
    module(
      "GraphClient", "GraphQLRuntime", "GraphJSON",
      .target(name: "CCurl", condition: .when(platforms: [.linux]))),
    module("GraphTelemetry", "GraphClient", "GraphQLRuntime", "GraphJSON"),
    module("GraphTesting", "GraphClient", "GraphQLExecution", "GraphQLSchema", "GraphJSON"),
    .target(
      name: "CCurl", path: "Library/CCurl",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "StorefrontAPI", dependencies: ["GraphQLRuntime"], path: "Generated",
      swiftSettings: shipped),
    .target(
      name: "Loopback", dependencies: ["GraphQLRuntime"], path: "Tools/Loopback",
      swiftSettings: settings),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "GraphJSON", "GraphQLCodeGen", "GraphQLRuntime", "GraphQLSchema", "GraphClient",
        "GraphTelemetry", "GraphTesting", "Loopback", "StorefrontAPI",
      ],
      swiftSettings: shipped),
    .testTarget(name: "BenchmarksTests", dependencies: ["benchmarks"], swiftSettings: settings),
  ]
)
