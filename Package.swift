// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target: existentials are spelled `any`, and a file only sees its own imports.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Shipped and generated code must also mark unsafe code.
let shipped = settings + [.strictMemorySafety()]

/// `swift package generate` writes into the package. Linux has no sandbox, and a declared
/// permission could not be granted there without a terminal.
#if os(Linux)
  let generatePermissions: [PluginPermission] = []
#else
  let generatePermissions: [PluginPermission] = [
    .writeToPackageDirectory(reason: "It writes the generated module.")
  ]
#endif

let package = Package(
  name: "Treeswift",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "GraphJSON", targets: ["GraphJSON"]),
    .library(name: "GraphQLSchema", targets: ["GraphQLSchema"]),
    .library(name: "GraphQLExecution", targets: ["GraphQLExecution"]),
    .library(name: "GraphQLComparison", targets: ["GraphQLComparison"]),
    .library(name: "GraphQLCodeGen", targets: ["GraphQLCodeGen"]),
    .library(name: "GraphQLRuntime", targets: ["GraphQLRuntime"]),
    .library(name: "GraphClient", targets: ["GraphClient"]),
    .library(name: "GraphTesting", targets: ["GraphTesting"]),
    .library(name: "GraphStore", targets: ["GraphStore"]),
    .executable(name: "treeswift-store", targets: ["treeswift-store"]),
    .library(name: "GraphOutbox", targets: ["GraphOutbox"]),
    .library(name: "StorefrontAPI", targets: ["StorefrontAPI"]),
    .executable(name: "storefront", targets: ["storefront"]),
    .executable(name: "graphql-generator", targets: ["graphql-generator"]),
    .plugin(name: "GraphQLGenerator", targets: ["GraphQLGenerator"]),
    .plugin(name: "GraphQLGenerateCommand", targets: ["GraphQLGenerateCommand"]),
  ],
  targets: [
    .target(name: "GraphJSON", swiftSettings: shipped),
    .target(name: "GraphQLSchema", dependencies: ["GraphJSON"], swiftSettings: shipped),
    // Apart from GraphQLSchema, since every user's build compiles that for the plugins' tool.
    .target(
      name: "GraphQLExecution", dependencies: ["GraphQLSchema", "GraphJSON"],
      swiftSettings: shipped),
    .target(name: "GraphQLComparison", dependencies: ["GraphQLSchema"], swiftSettings: shipped),
    .target(
      name: "GraphQLCodeGen", dependencies: ["GraphQLSchema", "GraphJSON"], swiftSettings: shipped),
    .target(name: "GraphQLRuntime", dependencies: ["GraphJSON"], swiftSettings: shipped),
    // Written by `swift package generate` from schema.json.
    .target(
      name: "StorefrontAPI", dependencies: ["GraphQLRuntime"], path: "Generated",
      swiftSettings: shipped),

    // Opens libcurl at run time: URLSession has no web sockets on Linux, and the generator should
    // not load networking to generate.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "GraphClient",
      dependencies: [
        "GraphQLRuntime", "GraphJSON",
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ], swiftSettings: shipped),

    .target(
      name: "GraphTesting",
      dependencies: ["GraphClient", "GraphQLExecution", "GraphQLSchema", "GraphJSON"],
      swiftSettings: shipped),
    // Apple platforms include SQLite as the module SQLite3.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    // How the objects of responses are stored, by schema and operation: apart from GraphQLRuntime, which
    // every user of a generated module compiles.
    .target(
      name: "GraphStorage", dependencies: ["GraphQLRuntime", "GraphJSON"], swiftSettings: shipped),
    .target(
      name: "GraphStore",
      dependencies: [
        "GraphStorage", "GraphQLRuntime", "GraphJSON",
        .target(name: "CSQLite", condition: .when(platforms: [.linux])),
      ], swiftSettings: shipped),

    .target(
      name: "GraphOutbox",
      dependencies: ["GraphClient", "GraphStore", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: shipped),

    .executableTarget(
      name: "treeswift-store", dependencies: ["GraphStore", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: shipped),
    // Writes into a store until it is killed; see Tests/Scripts/store-proof.
    .executableTarget(
      name: "store-hammer", dependencies: ["GraphStore", "GraphQLRuntime", "TestSupport"],
      path: "Tests/StoreHammer", exclude: ["matrix.py"], swiftSettings: settings),

    // Queues, sends and is killed; see Tests/Scripts/outbox-proof.
    .executableTarget(
      name: "outbox-hammer",
      dependencies: [
        "GraphOutbox", "GraphStore", "GraphClient", "GraphQLRuntime", "GraphJSON", "StorefrontAPI",
      ],
      path: "Tests/OutboxHammer", exclude: ["proof.py"], swiftSettings: settings),

    .executableTarget(
      name: "graphql-generator",
      dependencies: [
        "GraphQLCodeGen", "GraphQLComparison", "GraphQLSchema", "GraphJSON", "CCurl",
      ],
      swiftSettings: shipped),
    .plugin(
      name: "GraphQLGenerator", capability: .buildTool(), dependencies: ["graphql-generator"]),
    .plugin(
      name: "GraphQLGenerateCommand",
      capability: .command(
        intent: .custom(verb: "generate", description: "Write Swift for a GraphQL schema."),
        permissions: generatePermissions),
      dependencies: ["graphql-generator"]),

    .executableTarget(
      name: "storefront",
      dependencies: [
        "StorefrontAPI", "GraphQLRuntime", "GraphClient", "GraphStore", "GraphOutbox",
        "GraphTesting", "GraphQLExecution", "GraphQLSchema", "GraphJSON",
      ],
      swiftSettings: shipped),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "GraphJSON", "GraphQLCodeGen", "GraphQLRuntime", "GraphQLSchema", "GraphClient",
        "GraphTesting", "Loopback", "StorefrontAPI",
      ],
      swiftSettings: shipped),

    // Code that tests and their helper programs share.
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: settings),
    // Servers on the loopback interface, for tests and benchmarks.
    .target(
      name: "Loopback", dependencies: ["GraphQLRuntime"], path: "Tests/Loopback",
      swiftSettings: settings),

    // Correct and incorrect server behaviour, with the expected outcome for a client.
    .target(
      name: "Wire", dependencies: ["GraphClient", "Loopback", "GraphQLRuntime"], path: "Tests/Wire",
      swiftSettings: settings),
    // Runs all of it outside of the tests, so that the tests need no sanitizer; see
    // Tests/Scripts/wire.
    .executableTarget(
      name: "wire-table", dependencies: ["Wire", "GraphClient"], path: "Tests/WireTable",
      swiftSettings: settings),
    // Exits while requests are in progress; run by GraphClientTests.
    .executableTarget(
      name: "exit-under-way", dependencies: ["GraphClient"], path: "Tests/ExitUnderWay",
      swiftSettings: settings),

    // Emits the program that calls every generated member; see Tests/Scripts/exerciser.
    .executableTarget(
      name: "emit-exerciser", dependencies: ["GraphQLCodeGen", "GraphQLSchema"],
      path: "Tests/Exerciser/Emitter", swiftSettings: settings),

    // Executes requests for comparison with graphql-core; see Tests/Scripts/differential-execution.
    .executableTarget(
      name: "execute-documents",
      dependencies: [
        "GraphClient", "GraphTesting", "GraphQLExecution", "GraphQLSchema", "GraphJSON",
      ],
      path: "Tests/Differential/Executor", swiftSettings: settings),
    // Hostile input with extreme size or depth; see Tests/Scripts/hostile-sizes.
    .executableTarget(
      name: "hostile-sizes",
      dependencies: [
        "GraphJSON", "GraphQLSchema", "GraphQLRuntime", "StorefrontAPI", "TestSupport",
      ],
      path: "Tests/Hostile/Sizes", swiftSettings: settings),

    .testTarget(name: "GraphJSONTests", dependencies: ["GraphJSON"], swiftSettings: settings),
    .testTarget(
      name: "GraphQLSchemaTests", dependencies: ["GraphQLSchema", "GraphJSON", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLExecutionTests",
      dependencies: ["GraphQLExecution", "GraphQLSchema", "GraphJSON", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLComparisonTests", dependencies: ["GraphQLComparison", "GraphQLSchema"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLCodeGenTests",
      dependencies: ["GraphQLCodeGen", "GraphQLSchema", "GraphQLRuntime", "TestSupport"],
      exclude: ["Reference", "Schemas"], swiftSettings: settings),
    .testTarget(
      name: "GraphQLRuntimeTests", dependencies: ["GraphQLRuntime", "GraphJSON", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphStorageTests",
      dependencies: ["GraphStorage", "GraphQLRuntime", "GraphJSON", "StorefrontAPI"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphClientTests",
      dependencies: [
        "GraphClient", "GraphStore", "GraphTesting", "GraphQLExecution", "GraphQLSchema",
        "GraphQLRuntime", "GraphJSON", "Loopback", "StorefrontAPI", "TestSupport", "Wire",
        "exit-under-way",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphTestingTests",
      dependencies: [
        "GraphTesting", "GraphClient", "GraphQLExecution", "GraphQLSchema", "GraphJSON",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphStoreTests",
      dependencies: [
        "GraphStore", "GraphTesting", "GraphQLRuntime", "GraphJSON", "TestSupport",
        "treeswift-store", "store-hammer", "StorefrontAPI",
      ],
      exclude: ["Support/Sample.graphqls", "Support/graphql-generator.json"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphOutboxTests",
      dependencies: [
        "GraphOutbox", "GraphStore", "GraphTesting", "GraphQLExecution", "GraphQLSchema",
        "GraphClient", "GraphQLRuntime", "GraphJSON", "StorefrontAPI", "TestSupport",
        "VersionedAPI", "Wire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StorefrontAPITests", dependencies: ["StorefrontAPI", "GraphQLRuntime"],
      swiftSettings: settings),
    // Generated from the schema in its folder, by the build-tool plugin, whenever it is built.
    .target(
      name: "AwkwardAPI", dependencies: ["GraphQLRuntime"], path: "Tests/AwkwardAPI",
      swiftSettings: shipped, plugins: ["GraphQLGenerator"]),
    .target(
      name: "VersionedAPI", dependencies: ["GraphQLRuntime"], path: "Tests/VersionedAPI",
      swiftSettings: shipped, plugins: ["GraphQLGenerator"]),
    .testTarget(
      name: "GraphQLGeneratorTests", dependencies: ["AwkwardAPI", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: settings),
    .testTarget(
      name: "BenchmarksTests", dependencies: ["benchmarks"], swiftSettings: settings),
    .testTarget(
      name: "GeneratorToolTests",
      dependencies: [
        "graphql-generator", "GraphQLCodeGen", "GraphQLSchema", "Loopback", "TestSupport",
      ],
      swiftSettings: settings),
  ]
)

// Only built by the scripts Tests/Scripts/fire-….
if Context.environment["TREESWIFT_FIRE"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fire",
      dependencies: [
        "GraphClient", "GraphStore", "GraphOutbox", "GraphQLRuntime", "GraphJSON", "StorefrontAPI",
      ],
      path: "Tests/Fire/Program", swiftSettings: settings))
}

// Only built by Tests/Scripts/fuzz. libFuzzer adds its own main function to every executable, so
// there must not be another one, such as that of the plugins' tool.
if Context.environment["TREESWIFT_FUZZ"] != nil {
  package.products = []
  let generated: Set = ["AwkwardAPI", "VersionedAPI"]
  package.targets.removeAll {
    $0.type != .regular && $0.type != .system || generated.contains($0.name)
  }
  package.targets.append(
    .executableTarget(
      name: "fuzzer",
      dependencies: [
        "GraphJSON", "GraphQLSchema", "GraphQLCodeGen", "GraphQLRuntime", "GraphClient",
        "GraphStore", "StorefrontAPI",
      ],
      path: "Tests/Fuzz/Fuzzer",
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
