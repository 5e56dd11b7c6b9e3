/// The manifest of a new package, or the parts of it for an existing one.
struct Manifest {
  static let fileName = "Package.swift"

  let name: String
  /// The module of the schema.
  let module: String
  let dependency: Dependency

  private static let head = "// swift-tools-version: 6.2\nimport PackageDescription\n"

  /// A whole `Package.swift`.
  var text: String {
    """
    \(Self.head)
    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v14)],
      dependencies: [\(dependency.declaration)],
      targets: [
    \(indented(target, by: 4))
        .executableTarget(
          name: "\(name)",
          dependencies: ["\(module)", \(client)]),
      ])

    """
  }

  /// Lines that the user adds to an existing manifest.
  var additions: String {
    """
    Add the following to Package.swift, unless it is already there. To the dependencies of the package:

      \(dependency.declaration),

    To its targets:

    \(indented(target, by: 2))

    To the dependencies of the target that will send queries:

      "\(module)",
      \(client),

    Apple platforms need `platforms: [.macOS(.v13), .iOS(.v16)]` or later.
    """
  }

  private var target: String {
    """
    .target(
      name: "\(module)",
      dependencies: [\(product("GraphQLRuntime"))],
      plugins: [.plugin(name: "GraphQLGenerator", package: \(package))]),
    """
  }

  private var client: String { product("GraphClient") }

  private func product(_ name: String) -> String {
    ".product(name: \"\(name)\", package: \(package))"
  }

  private var package: String { dependency.packageLiteral }

  private func indented(_ text: String, by width: Int) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: width) + $0 }
      .joined(separator: "\n")
  }
}
