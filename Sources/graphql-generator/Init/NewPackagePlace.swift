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
