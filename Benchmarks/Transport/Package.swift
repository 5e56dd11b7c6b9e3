// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the product does not depend on the libraries with which it is
// compared.
let package = Package(
  name: "transport-benchmark",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Treeswift", path: "../..")],
  targets: [
    // Responds to every request with the same bytes.
    .executableTarget(name: "http-server"),
    // The minimal program over libcurl: it needs libcurl's headers.
    .executableTarget(name: "curl-load", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "transport-load",
      dependencies: [
        "StorefrontAPI", .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
      ]),
    // A link to the folder `Generated` of the repository.
    .target(
      name: "StorefrontAPI",
      dependencies: [.product(name: "GraphQLRuntime", package: "Treeswift")]),
  ]
)
