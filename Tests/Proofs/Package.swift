// swift-tools-version: 6.2
import PackageDescription

// The programs that the suites of `Tests/run` build. `Sources`, `Generated` and `Tools` are links to
// folders of the repository: the modules belong to this package as well, so the programs can use
// their `package` symbols, and one build compiles each module once for all programs.

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

let curl = Target.Dependency.target(name: "CCurl", condition: .when(platforms: [.linux]))
let sqlite = Target.Dependency.target(name: "CSQLite", condition: .when(platforms: [.linux]))

let package = Package(
  name: "Proofs",
  platforms: [.macOS(.v14)],
  targets: [
    module("GraphJSON"),
    module("GraphQLSchema", "GraphJSON"),
    module("GraphQLPrinting", "GraphQLSchema", "GraphJSON"),
    module("GraphQLExecution", "GraphQLSchema", "GraphJSON"),
    module("GraphQLComparison", "GraphQLSchema"),
    module("GraphQLCodeGen", "GraphQLSchema", "GraphJSON"),
    .target(name: "CTreeswiftAtomics", path: "Sources/CTreeswiftAtomics"),
    module("GraphQLRuntime", "CTreeswiftAtomics", "GraphJSON"),
    module("GraphClient", "GraphQLRuntime", "GraphJSON", curl),
    module("GraphWebSocket", "GraphClient", "GraphQLRuntime", "GraphJSON", curl),
    module("GraphRateLimits", "GraphClient", "GraphQLRuntime", "GraphJSON"),
    module("GraphTesting", "GraphClient", "GraphQLExecution", "GraphQLSchema", "GraphJSON"),
    module("GraphStorage", "GraphQLRuntime", "GraphJSON"),
    module("GraphStore", "GraphStorage", "GraphQLRuntime", "GraphJSON", sqlite),
    module("GraphOutbox", "GraphClient", "GraphStore", "GraphQLRuntime", "GraphJSON"),
    module(
      "GraphCompatibility", "GraphOutbox", "GraphClient", "GraphStore", "GraphQLRuntime",
      "GraphJSON"),
    .target(
      name: "CCurl", path: "Sources/CCurl",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .systemLibrary(name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3"),
    .target(
      name: "CHiredis", path: "Sources/CHiredis",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    module(
      "GraphValkey", "GraphRateLimits", "GraphClient", "GraphQLRuntime", "GraphJSON", "CHiredis"),
    .target(
      name: "StorefrontAPI", dependencies: ["GraphQLRuntime"], path: "Generated",
      swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["GraphJSON"], path: "Tools/Support",
      swiftSettings: settings),
    .target(
      name: "Loopback", dependencies: ["GraphQLRuntime"], path: "Tools/Loopback",
      swiftSettings: settings),
    .target(
      name: "ServerBehavior", dependencies: ["GraphClient", "Loopback", "GraphQLRuntime"],
      path: "Servers/Behavior", swiftSettings: settings),

    // The library's own programs, for release.
    .executableTarget(
      name: "graphql-generator",
      dependencies: [
        "GraphQLCodeGen", "GraphQLComparison", "GraphQLPrinting", "GraphQLSchema", "GraphJSON",
        "CCurlEasy",
      ],
      path: "Sources/graphql-generator", swiftSettings: settings,
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .systemLibrary(name: "CCurlEasy", path: "Sources/CCurlEasy"),
    .executableTarget(
      name: "treeswift-store",
      dependencies: ["GraphOutbox", "GraphStore", "GraphClient", "GraphQLRuntime", "GraphJSON"],
      path: "Sources/treeswift-store", swiftSettings: settings),

    // Writes to a store until it is killed.
    .executableTarget(
      name: "store-crash", dependencies: ["GraphStore", "GraphQLRuntime", "TestSupport"],
      path: "Crash/StoreCrash", exclude: ["matrix.py"], swiftSettings: settings),
    // Queues, sends and is killed.
    .executableTarget(
      name: "outbox-crash",
      dependencies: [
        "GraphOutbox", "GraphStore", "GraphClient", "GraphQLRuntime", "GraphJSON", "StorefrontAPI",
      ],
      path: "Crash/OutboxCrash", exclude: ["proof.py"], swiftSettings: settings),
    // Shares a server of Valkey or Redis with other processes.
    .executableTarget(
      name: "valkey-proof",
      dependencies: [
        "GraphValkey", "GraphRateLimits", "GraphClient", "GraphQLRuntime", "GraphJSON",
        "StorefrontAPI",
      ],
      path: "Valkey/Program", swiftSettings: settings),
    .executableTarget(
      name: "bare-get", path: "Valkey/BareGet",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // Runs while the disk, the network or the clock fail, and while users change.
    .executableTarget(
      name: "stress",
      dependencies: [
        "GraphClient", "GraphWebSocket", "GraphStore", "GraphOutbox", "GraphCompatibility",
        "GraphQLRuntime", "GraphJSON", "StorefrontAPI",
      ],
      path: "Stress/Program", swiftSettings: settings),
    // Reads input with extreme size or depth.
    .executableTarget(
      name: "adversarial-sizes",
      dependencies: [
        "GraphJSON", "GraphQLSchema", "GraphQLRuntime", "StorefrontAPI", "TestSupport",
      ],
      path: "Adversarial/Sizes", swiftSettings: settings),
    // Executes requests for comparison with graphql-core.
    .executableTarget(
      name: "execute-documents",
      dependencies: [
        "GraphClient", "GraphTesting", "GraphQLExecution", "GraphQLSchema", "GraphJSON",
      ],
      path: "Reference/Differential/Executor", swiftSettings: settings),
    // Estimates the costs of requests for comparison with a second implementation.
    .executableTarget(
      name: "estimate-costs",
      dependencies: ["GraphRateLimits", "GraphClient", "GraphJSON", "StorefrontAPI"],
      path: "Reference/Costs/Estimator", swiftSettings: settings),
    // Reports how far the documents of other parsers' tests are accepted.
    .executableTarget(
      name: "check-cases", dependencies: ["GraphQLPrinting", "GraphQLSchema", "GraphJSON"],
      path: "Reference/Corpora/Checker", swiftSettings: settings),
    // Generates code for the documents of many small modules.
    .executableTarget(
      name: "check-documents", dependencies: ["GraphQLCodeGen", "GraphQLSchema", "GraphJSON"],
      path: "Reference/Documents/Checker", swiftSettings: settings),
    // Emits the program that calls every generated member.
    .executableTarget(
      name: "emit-member-calls", dependencies: ["GraphQLCodeGen", "GraphQLSchema"],
      path: "Members/Emitter", swiftSettings: settings),
    // Sends requests to servers with correct and incorrect behaviour, outside of the tests, so that
    // the tests need no sanitizer.
    .executableTarget(
      name: "server-behavior", dependencies: ["ServerBehavior", "GraphClient"],
      path: "Servers/BehaviorProgram",
      swiftSettings: settings),
  ]
)
