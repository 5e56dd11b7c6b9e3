import GraphQLCodeGen
import GraphQLSchema

/// Where `init` writes, and under which name.
struct NewPackagePlace {
  /// The folder as the user named it.
  let root: String
  /// Its absolute path.
  let folder: String
  /// Whether the folder has a package already.
  let isPackage: Bool
  /// Whether the folder has a `.gitignore`, or a link with that name.
  let hasGitignore: Bool
  let name: String

  init(_ options: InitOptions, files: FileAccess) {
    var root = options.output
    while root.utf8.count > 1, root.hasSuffix("/") { root.removeLast() }
    self.root = root
    folder = files.absolute(root)
    isPackage = files.kind(of: Path.join(root, Manifest.fileName)) != .nothing
    let names = (try? files.names(in: root)) ?? []
    hasGitignore = names.contains(NewTargets.gitignore)
    name =
      options.name
      ?? ModuleName.made(
        from: [Path.name(of: folder), options.endpoint?.service].compactMap(\.self))
  }

  /// The namespace of the generated types: the default, unless another module of the package has it.
  /// One file could not use both then.
  func namespace(_ files: FileAccess) -> String {
    let sources = Path.join(root, "Sources")
    let targets = (try? files.names(in: sources)) ?? []
    let taken = ([root] + targets.map { Path.join(sources, $0) }).compactMap { folder in
      // A configuration that cannot be read is for those who build it.
      let path = Path.join(folder, ConfigurationFile.name)
      return (try? files.read(path)).flatMap {
        try? Configuration(parsing: Source(name: path, bytes: $0)).namespace
      }
    }
    let usual = Configuration().namespace
    return taken.contains(usual) ? name : usual
  }
}

extension Endpoint {
  /// The part of the host's name that is likely to be the name of the service: `github` of
  /// `https://api.github.com/graphql`.
  var service: String {
    let host = origin.split(separator: "/").last?.split(separator: ":").first ?? ""
    let labels = host.split(separator: ".")
    return String(labels.first { !["api", "www", "graphql"].contains($0) } ?? host)
  }
}

/// The files of the targets that `init` makes.
struct NewTargets {
  let manifest: Manifest
  /// Whether to make the manifest and the program as well.
  let isWholePackage: Bool
  /// Whether to make a `.gitignore` in a whole package: the folder has none.
  let ignoresBuild: Bool

  /// Generates the module when the package is built.
  let pipeline: GeneratorPipeline

  /// - Parameters:
  ///   - schema: nil before it is known.
  ///   - program: the text of the program.
  func files(in root: String, schema: OutputFile?, program: String) -> NewFiles {
    let sources = [
      file("\(manifest.module).swift", module(schema)), file(ConfigurationFile.name, configuration),
    ]
    var folders = [
      (path: "Sources/\(manifest.module)", files: sources + [schema].compactMap(\.self))
    ]
    guard isWholePackage else { return NewFiles(root: root, folders: folders, files: []) }
    folders.append((path: "Sources/\(manifest.name)", files: [file("main.swift", program)]))
    let ignored = ignoresBuild ? [file(Self.gitignore, ".build\n")] : []
    return NewFiles(
      root: root, folders: folders, files: ignored + [file(Manifest.fileName, manifest.text)])
  }

  /// The file that names what Git leaves out.
  static let gitignore = ".gitignore"

  /// SwiftPM requires a Swift file in each target.
  private func module(_ schema: OutputFile?) -> String {
    "// The rest of this module is generated from \(schema?.name ?? "") when it is built.\n"
  }

  private var configuration: String {
    """
    {
      "namespace": "\(pipeline.configuration.namespace)"
    }

    """
  }

  private func file(_ name: String, _ text: String) -> OutputFile {
    OutputFile(name: name, bytes: Array(text.utf8))
  }
}

/// The name of a new package and its program. The module of the schema has the same name and `API`.
enum ModuleName {
  static let suffix = "API"

  /// A name made from one of several texts: the first that gives a usable one.
  ///
  /// Words begin with capital letters; everything but the letters and digits of ASCII separates words.
  static func made(from texts: [String]) -> String {
    for text in texts {
      var name = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      // The folder `shop-api` is for the module ShopAPI.
      if name.lowercased().hasSuffix("api"), name.utf8.count > suffix.utf8.count {
        name.removeLast(suffix.utf8.count)
      }
      if problem(with: name) == nil { return name }
    }
    return fallback
  }

  /// If neither the folder nor the host has a usable name.
  private static let fallback = "Service"

  /// Why a name is not usable; nil if it is.
  static func problem(with name: String) -> String? {
    guard Identifier.isModule(name) else {
      return
        "\(quoted(name)) is not the name of a Swift module: use letters, digits and underscores, "
        + "without a digit at the start, and not a keyword of Swift."
    }
    for module in [name, name + suffix] where taken.contains(module.lowercased()) {
      return
        "The name \(quoted(name)) would result in a second module or type \(module): Treeswift, "
        + "Swift or the generated code already has one."
    }
    return nil
  }

  /// Names of modules and of types that a program names without their module, in lower case, since
  /// some file systems ignore the case.
  private static let taken = Set((treeswift + swift + types).map { $0.lowercased() })

  /// The package itself and its targets, whose names no other target of a program may have.
  static let treeswift = [
    "Treeswift", "GraphJSON", "GraphQLSchema", "GraphQLPrinting", "GraphQLExecution",
    "GraphQLComparison", "GraphQLCodeGen", "GraphQLRuntime", "GraphClient", "GraphTesting",
    "GraphStorage", "GraphStore", "GraphOutbox", "GraphWebSocket", "GraphRateLimits", "GraphLive",
    "GraphTelemetry", "GraphValkey", "GraphCompatibility", "GraphCompatibilityTesting",
    "GraphQLGenerator",
    "GraphQLGenerateCommand", "StorefrontAPI", "storefront",
    "CTreeswiftAtomics", "CCurl", "CCurlEasy", "CHiredis", "CSQLite", "TestSupport", "Loopback",
    "ServerBehavior",
    "AwkwardAPI", "VersionedAPI",
  ]

  /// Modules of the toolchain and the system, and names that the compiler reserves.
  private static let swift = [
    "Swift", "main", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML", "Dispatch", "Synchronization", "Observation",
    "RegexBuilder", "Distributed", "Cxx", "Testing", "XCTest", "Glibc", "Musl", "Darwin",
    "SQLite3", "PackageDescription", "PackagePlugin",
  ]

  private static let types = ["API", "Graph", "GraphQL", "URL", "ProcessInfo"]
}
