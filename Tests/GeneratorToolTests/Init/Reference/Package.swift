// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v14)],
  dependencies: [.package(url: "https://git.test/Treeswift.git", branch: "main")],
  targets: [
    .target(
      name: "ShopAPI",
      dependencies: [.product(name: "GraphQLRuntime", package: "Treeswift")],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),
    .executableTarget(
      name: "Shop",
      dependencies: ["ShopAPI", .product(name: "GraphClient", package: "Treeswift")]),
  ])
