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

/// For `dlopen`, which is in a library of its own on older Linux systems.
let dynamicLoading: [LinkerSetting] = [.linkedLibrary("dl", .when(platforms: [.linux]))]

/// An artifact bundle with the compiled tool of the plugins: its full path, or its address and checksum
/// (`https://…/graphql-generator.artifactbundle.zip#checksum`). With it, a build of a package with a
/// generated module does not compile the tool. `Tools/artifact-bundle` makes bundles.
let generatorBundle = Context.environment["TREESWIFT_GENERATOR_BUNDLE"].flatMap {
  place -> Target? in
  let parts = place.split(separator: "#", maxSplits: 1).map(String.init)
  guard let location = parts.first else { return nil }
  if location.contains("://") {
    return .binaryTarget(
      name: "graphql-generator", url: location, checksum: parts.count == 2 ? parts[1] : "")
  }
  // SwiftPM accepts only a path relative to this package, also of a folder elsewhere.
  let up = Context.packageDirectory.split(separator: "/").map { _ in "../" }.joined()
  return .binaryTarget(
    name: "graphql-generator",
    path: location.hasPrefix("/") ? up + location.dropFirst() : location)
}

/// The tool of the plugins, and what needs its sources.
let generator: [Target] =
  if let generatorBundle {
    [generatorBundle]
  } else {
    [
      .executableTarget(
        name: "graphql-generator",
        dependencies: [
          "GraphQLCodeGen", "GraphQLComparison", "GraphQLPrinting", "GraphQLSchema", "GraphJSON",
          "CCurlEasy",
        ],
        swiftSettings: shipped, linkerSettings: dynamicLoading),
      // The subcommand that the plugins run, which every user's build compiles: links to the sources of four modules,
      // compiled as one, without what only others need. In the language mode of Swift 5, the compiler does not search
      // for data races, which takes a twentieth of its time. The four modules are compiled in that of Swift 6.
      .executableTarget(
        name: "graphql-generate",
        exclude: [
          "GraphJSON/GraphJSON.docc", "GraphJSON/Value", "GraphQLSchema/GraphQLSchema.docc",
          "GraphQLSchema/Introspection/IntrospectedSchema.swift",
          "GraphQLCodeGen/GraphQLCodeGen.docc",
          "GraphQLCodeGen/Operations/Planning/SelectedProperties.swift",
        ],
        swiftSettings: shipped + [.define("ONE_MODULE"), .swiftLanguageMode(.v5)]),
      // Only a header.
      .systemLibrary(name: "CCurlEasy"),
      .testTarget(
        name: "GeneratorToolTests",
        dependencies: [
          "graphql-generator", "graphql-generate", "GraphQLCodeGen", "GraphQLPrinting",
          "GraphQLSchema", "GraphJSON", "Loopback", "TestSupport",
        ],
        exclude: ["Init/Reference"], swiftSettings: settings),
    ]
  }
let generatorProducts: [Product] =
  generatorBundle == nil
  ? [.executable(name: "graphql-generator", targets: ["graphql-generator"])] : []

/// The tool that the plugins run. A bundle contains the one with all subcommands.
let pluginTool: Target.Dependency =
  generatorBundle == nil ? "graphql-generate" : "graphql-generator"

/// States why the module reads the times of files. Linux has no use for it, and the code that finds resources
/// would be part of every program.
#if os(Linux)
  let privacyManifest: [Resource] = []
  let withoutPrivacyManifest = ["PrivacyInfo.xcprivacy"]
#else
  let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
  let withoutPrivacyManifest: [String] = []
#endif

let package = Package(
  name: "Treeswift",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "GraphJSON", targets: ["GraphJSON"]),
    .library(name: "GraphQLSchema", targets: ["GraphQLSchema"]),
    .library(name: "GraphQLPrinting", targets: ["GraphQLPrinting"]),
    .library(name: "GraphQLExecution", targets: ["GraphQLExecution"]),
    .library(name: "GraphQLComparison", targets: ["GraphQLComparison"]),
    .library(name: "GraphQLCodeGen", targets: ["GraphQLCodeGen"]),
    .library(name: "GraphQLRuntime", targets: ["GraphQLRuntime"]),
    .library(name: "GraphClient", targets: ["GraphClient"]),
    .library(name: "GraphWebSocket", targets: ["GraphWebSocket"]),
    .library(name: "GraphRateLimits", targets: ["GraphRateLimits"]),
    .library(name: "GraphLive", targets: ["GraphLive"]),
    .library(name: "GraphValkey", targets: ["GraphValkey"]),
    .library(name: "GraphTelemetry", targets: ["GraphTelemetry"]),
    .library(name: "GraphTesting", targets: ["GraphTesting"]),
    .library(name: "GraphStore", targets: ["GraphStore"]),
    .executable(name: "treeswift-store", targets: ["treeswift-store"]),
    .library(name: "GraphOutbox", targets: ["GraphOutbox"]),
    .library(name: "GraphCompatibility", targets: ["GraphCompatibility"]),
    // For several targets of an Xcode project. Xcode can link a library once for all of them only if it has another name
    // than each of its modules.
    .library(
      name: "Treeswift",
      targets: [
        "GraphJSON", "GraphQLRuntime", "GraphClient", "GraphWebSocket", "GraphRateLimits",
        "GraphLive", "GraphTelemetry", "GraphStore", "GraphOutbox", "GraphCompatibility",
      ]),
    .library(name: "GraphCompatibilityTesting", targets: ["GraphCompatibilityTesting"]),
    .plugin(name: "GraphQLGenerator", targets: ["GraphQLGenerator"]),
    .plugin(name: "GraphQLGenerateCommand", targets: ["GraphQLGenerateCommand"]),
  ] + generatorProducts,
  traits: [
    .trait(
      name: "Signposts", description: "Instruments shows how long steps take (Apple platforms).")
  ],
  targets: generator + [
    .target(name: "GraphJSON", swiftSettings: shipped),
    .target(name: "GraphQLSchema", dependencies: ["GraphJSON"], swiftSettings: shipped),
    // These are apart from GraphQLSchema: users who only read schemas do not compile them.
    .target(
      name: "GraphQLPrinting", dependencies: ["GraphQLSchema", "GraphJSON"],
      swiftSettings: shipped),
    .target(
      name: "GraphQLExecution", dependencies: ["GraphQLSchema", "GraphJSON"],
      swiftSettings: shipped),
    .target(name: "GraphQLComparison", dependencies: ["GraphQLSchema"], swiftSettings: shipped),
    .target(
      name: "GraphQLCodeGen", dependencies: ["GraphQLSchema", "GraphJSON"], swiftSettings: shipped),
    // Only a header. Swift's own atomic values need macOS 15 or iOS 18.
    .target(name: "CTreeswiftAtomics"),
    .target(
      name: "GraphQLRuntime", dependencies: ["CTreeswiftAtomics", "GraphJSON"],
      swiftSettings: shipped),
    // Written by `swift package generate` from schema.json.
    .target(
      name: "StorefrontAPI", dependencies: ["GraphQLRuntime"], path: "Generated",
      swiftSettings: shipped),

    // Opens libcurl at run time: URLSession has no web sockets on Linux.
    .target(name: "CCurl", linkerSettings: dynamicLoading),
    .target(
      name: "GraphClient",
      dependencies: [
        "GraphQLRuntime", "GraphJSON",
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ], exclude: withoutPrivacyManifest, resources: privacyManifest, swiftSettings: shipped),

    // These are apart from GraphClient, which every user of a client compiles.
    .target(
      name: "GraphWebSocket",
      dependencies: [
        "GraphClient", "GraphQLRuntime", "GraphJSON",
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ], swiftSettings: shipped),
    .target(
      name: "GraphRateLimits", dependencies: ["GraphClient", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: shipped),
    .target(
      name: "GraphLive", dependencies: ["GraphClient", "GraphQLRuntime"], swiftSettings: shipped),

    // Opens hiredis at run time: only users of GraphValkey need it, and only when they run.
    .target(name: "CHiredis", linkerSettings: dynamicLoading),
    .target(
      name: "GraphValkey",
      dependencies: ["GraphRateLimits", "GraphClient", "GraphQLRuntime", "GraphJSON", "CHiredis"],
      swiftSettings: shipped),

    .target(
      name: "GraphTelemetry", dependencies: ["GraphClient", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: shipped),

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
      ], exclude: withoutPrivacyManifest, resources: privacyManifest, swiftSettings: shipped),

    .target(
      name: "GraphOutbox",
      dependencies: ["GraphClient", "GraphStore", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: shipped),

    // The names of older libraries. No other shipped module imports it, so only its users compile it.
    .target(
      name: "GraphCompatibility",
      dependencies: ["GraphOutbox", "GraphClient", "GraphStore", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: shipped),
    // For tests: GraphTesting would need the store, and GraphCompatibility the mock endpoint.
    .target(
      name: "GraphCompatibilityTesting",
      dependencies: ["GraphCompatibility", "GraphTesting", "GraphQLRuntime"],
      swiftSettings: shipped),

    .executableTarget(
      name: "treeswift-store",
      dependencies: ["GraphOutbox", "GraphStore", "GraphClient", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: shipped),

    .plugin(
      name: "GraphQLGenerator", capability: .buildTool(), dependencies: [pluginTool]),
    .plugin(
      name: "GraphQLGenerateCommand",
      capability: .command(
        intent: .custom(verb: "generate", description: "Write Swift for a GraphQL schema."),
        permissions: generatePermissions),
      dependencies: [pluginTool]),

    .executableTarget(
      name: "storefront",
      dependencies: [
        "StorefrontAPI", "GraphQLRuntime", "GraphClient", "GraphStore", "GraphOutbox",
        "GraphTesting", "GraphQLExecution", "GraphQLSchema", "GraphJSON",
      ],
      swiftSettings: shipped),

    // Code that tests and the programs of Tests/Proofs share.
    .target(
      name: "TestSupport", dependencies: ["GraphJSON"], path: "Tests/Tools/Support",
      swiftSettings: settings),
    // Servers on the loopback interface, for tests and benchmarks.
    .target(
      name: "Loopback", dependencies: ["GraphQLRuntime"], path: "Tests/Tools/Loopback",
      swiftSettings: settings),

    // Correct and incorrect server behaviour, with the expected outcome for a client.
    .target(
      name: "ServerBehavior", dependencies: ["GraphClient", "Loopback", "GraphQLRuntime"],
      path: "Tests/Proofs/Servers/Behavior", swiftSettings: settings),
    // Exits while requests are in progress; run by GraphClientTests.
    .executableTarget(
      name: "exit-during-requests", dependencies: ["GraphClient"],
      path: "Tests/Tools/ExitDuringRequests",
      swiftSettings: settings),

    // Writes to a store until it is killed; run by GraphStoreTests.
    .executableTarget(
      name: "store-writer", dependencies: ["GraphStore", "GraphQLRuntime"],
      path: "Tests/Tools/StoreWriter", swiftSettings: settings),

    .testTarget(name: "GraphJSONTests", dependencies: ["GraphJSON"], swiftSettings: settings),
    .testTarget(
      name: "GraphQLSchemaTests",
      dependencies: ["GraphQLPrinting", "GraphQLSchema", "GraphJSON", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLExecutionTests",
      dependencies: [
        "GraphQLExecution", "GraphQLPrinting", "GraphQLSchema", "GraphJSON", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLComparisonTests", dependencies: ["GraphQLComparison", "GraphQLSchema"],
      swiftSettings: settings),
    .testTarget(
      name: "GraphQLCodeGenTests",
      dependencies: [
        "GraphQLCodeGen", "GraphQLPrinting", "GraphQLSchema", "GraphQLRuntime", "TestSupport",
      ],
      exclude: ["Reference", "Schemas", "Operations/Reference"], swiftSettings: settings),
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
        "GraphClient", "GraphWebSocket", "GraphRateLimits", "GraphLive", "GraphStore",
        "GraphTesting", "GraphQLExecution", "GraphQLSchema", "GraphQLRuntime", "GraphJSON",
        "Loopback",
        "StorefrontAPI", "TestSupport", "ServerBehavior", "exit-during-requests",
      ],
      exclude: [
        "Documents/Shop/Shop.graphql", "Documents/Shop/graphql-generator.json",
        "Documents/Store/Store.graphql", "Documents/Store/Store.graphqls",
        "Documents/Store/graphql-generator.json",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphValkeyTests",
      dependencies: [
        "GraphValkey", "GraphClient", "GraphQLRuntime", "StorefrontAPI", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphTelemetryTests",
      dependencies: [
        "GraphTelemetry", "GraphClient", "GraphQLRuntime", "GraphJSON", "StorefrontAPI",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphTestingTests",
      dependencies: [
        "GraphTesting", "GraphClient", "GraphQLExecution", "GraphQLSchema", "GraphJSON",
        "StorefrontAPI",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphStoreTests",
      dependencies: [
        "GraphStore", "GraphTesting", "GraphClient", "GraphQLExecution", "GraphQLSchema",
        "GraphQLRuntime", "GraphJSON", "TestSupport", "treeswift-store", "store-writer",
        "StorefrontAPI",
      ],
      exclude: [
        "Support/Sample.graphqls", "Support/graphql-generator.json", "Documents/Clubs.graphql",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphOutboxTests",
      dependencies: [
        "GraphOutbox", "GraphStore", "GraphTesting", "GraphQLExecution", "GraphQLSchema",
        "GraphClient", "GraphQLRuntime", "GraphJSON", "StorefrontAPI", "TestSupport",
        "VersionedAPI", "ServerBehavior", "treeswift-store",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphCompatibilityTests",
      dependencies: [
        "GraphCompatibility", "GraphOutbox", "GraphClient", "GraphStore", "GraphTesting",
        "GraphQLExecution", "GraphQLSchema", "GraphQLRuntime", "GraphJSON", "StorefrontAPI",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraphCompatibilityTestingTests",
      dependencies: [
        "GraphCompatibilityTesting", "GraphCompatibility", "GraphStore", "GraphTesting",
        "GraphQLRuntime", "GraphJSON", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StorefrontAPITests", dependencies: ["StorefrontAPI", "GraphQLRuntime"],
      swiftSettings: settings),
    // Generated from the schema in its folder, by the build-tool plugin, whenever it is built.
    .target(
      name: "AwkwardAPI", dependencies: ["GraphQLRuntime"], path: "Tests/Tools/AwkwardAPI",
      swiftSettings: shipped, plugins: ["GraphQLGenerator"]),
    .target(
      name: "VersionedAPI", dependencies: ["GraphQLRuntime"], path: "Tests/Tools/VersionedAPI",
      swiftSettings: shipped, plugins: ["GraphQLGenerator"]),
    .testTarget(
      name: "GraphQLGeneratorTests", dependencies: ["AwkwardAPI", "GraphQLRuntime", "GraphJSON"],
      swiftSettings: settings),
  ]
)
