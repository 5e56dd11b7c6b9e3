import GraphQLCodeGen
import GraphQLSchema

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

/// The package Treeswift, as a manifest declares it.
struct Dependency: Equatable {
  /// The declaration: `.package(path: "../Treeswift")`.
  let declaration: String
  /// The name of the package, for the declarations of products.
  let package: String

  var packageLiteral: String { EscapedText.literal(package) }

  static let name = "Treeswift"

  /// A folder, named by its path from the new package's folder.
  ///
  /// SwiftPM names a package in a folder after the folder, unless the declaration has a name.
  init(folder: String, from origin: String) {
    let path = EscapedText.literal(Path.relative(folder, to: origin))
    let isNamed = Path.name(of: folder).lowercased() != Self.name.lowercased()
    declaration =
      isNamed ? ".package(name: \"\(Self.name)\", path: \(path))" : ".package(path: \(path))"
    package = Self.name
  }

  /// A repository, after whose last component SwiftPM names the package.
  init(url: String) {
    declaration = ".package(url: \(EscapedText.literal(url)), branch: \"main\")"
    var last = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? Self.name
    if last.hasSuffix(".git") { last.removeLast(4) }
    package = last.lowercased() == Self.name.lowercased() ? Self.name : last
  }

  /// - Throws: a diagnostic if there is no package at the path, if the tool is not in a checkout, or if
  ///   the new package would depend on itself.
  init(
    _ location: PackageLocation?, from origin: String, files: FileAccess
  ) throws(Diagnostics) {
    let folder: String
    switch location {
    case .url(let url):
      self.init(url: url)
      return
    case .path(let path):
      guard files.kind(of: Path.join(path, Manifest.fileName)) == .file else {
        throw Self.problem(
          "\(path): There is no package in this folder.",
          "Specify the folder of Treeswift with --package-path.")
      }
      folder = files.absolute(path)
    case nil:
      guard let checkout = Self.checkout(files) else {
        throw Self.problem(
          "This tool was not built in a checkout of Treeswift.",
          "Specify its folder with --package-path, or its repository with --package-url.")
      }
      folder = checkout
    }
    guard folder != origin else {
      throw Self.problem(
        "\(folder): This is the folder of Treeswift itself.",
        "Start in another folder, or specify one with --output.")
    }
    self.init(folder: folder, from: origin)
  }

  private static func problem(_ message: String, _ advice: String) -> Diagnostics {
    Diagnostics([Diagnostic(code: "dependency", message: message, suggestion: advice)])
  }

  /// The checkout in whose `.build` folder the tool is.
  private static func checkout(_ files: FileAccess) -> String? {
    guard var folder = files.executable else { return nil }
    while folder != "/" {
      folder = Path.folder(of: folder)
      let sources = Path.join(folder, "Sources/graphql-generator")
      let manifest = Path.join(folder, Manifest.fileName)
      if files.kind(of: sources) == .folder, files.kind(of: manifest) == .file { return folder }
    }
    return nil
  }
}
