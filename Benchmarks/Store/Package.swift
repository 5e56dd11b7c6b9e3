// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the product keeps no dependency on what it is compared with.
let package = Package(
  name: "store-benchmark",
  platforms: [.macOS(.v15)],
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
        .product(name: "GraphQLRuntime", package: "Treeswift"),
      ]),
  ]
)
