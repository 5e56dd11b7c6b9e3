// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the product keeps no dependency on what it is compared with.
let package = Package(
  name: "transport-benchmark",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Treeswift", path: "../..")],
  targets: [
    // Answers every request with the same bytes.
    .executableTarget(name: "http-server"),
    // The least that a program over libcurl can do: it needs libcurl's headers.
    .executableTarget(name: "curl-load", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "transport-load",
      dependencies: [
        .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
        .product(name: "StorefrontAPI", package: "Treeswift"),
      ]),
  ]
)
