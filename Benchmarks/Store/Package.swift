// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the product does not depend on the libraries with which it is
// compared.
let package = Package(
  name: "store-benchmark",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Treeswift", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.0.0"),
  ],
  targets: [
    .systemLibrary(name: "CSQLiteRaw", pkgConfig: "sqlite3"),
    .executableTarget(
      name: "store-benchmark",
      dependencies: [
        "CSQLiteRaw",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GraphStore", package: "Treeswift"),
        .product(name: "GraphClient", package: "Treeswift"),
        .product(name: "GraphLive", package: "Treeswift"),
        .product(name: "GraphJSON", package: "Treeswift"),
        .product(name: "GraphQLRuntime", package: "Treeswift"),
      ]),
  ]
)
