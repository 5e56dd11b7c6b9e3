// swift-tools-version: 6.2
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "Treeswift") }

/// A service whose calls are seen in logs, metrics and traces. It is apart from the other examples, since
/// it needs the libraries for which it has adapters, and a web server.
let package = Package(
  name: "Telemetry",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Treeswift", path: "../.."),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.2.0"),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.0"),
  ],
  targets: [
    .target(
      name: "ShopAPI", dependencies: [product("GraphQLRuntime")],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),
    .executableTarget(
      name: "orders",
      dependencies: [
        "ShopAPI", product("GraphClient"), product("GraphTelemetry"), product("GraphQLRuntime"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ]),
  ]
)
