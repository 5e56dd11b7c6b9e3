import Foundation
import PackagePlugin

/// The part of `graphql-generator.json` that the plugins need before the tool runs. Other unreadable
/// values than the names of inputs keep their default: the tool reads the file as well, and reports
/// errors with their position.
struct ConfigurationFile {
  static let name = "graphql-generator.json"

  /// nil if there is no such file.
  private(set) var url: URL?
  private(set) var namespace = "API"
  /// The named files.
  private(set) var schema: [URL] = []
  /// Their paths in the configuration.
  private var schemaPaths: [String] = []
  private(set) var usage: Usage
  /// The folder of the generated files, outside of builds.
  private(set) var output: URL
  private var objectFileCount = 4
  /// The enum around the types of documents; nil if they are at the top level.
  private(set) var documentNamespace: String?
  /// The module with the schema of the documents; nil if the plugin chooses it.
  private(set) var schemaModule: String?
  /// Files and folders with documents outside of the target's folder, as they are written.
  private(set) var documentPaths: [String] = []

  init(in folder: URL) throws {
    let url = folder.appending(path: Self.name)
    usage = try Usage(nil, in: url)
    // Not `folder`: without a slash at its end, it would not be the base of paths.
    let base = url.deletingLastPathComponent()
    output = base.appending(path: "Generated")
    guard let data = FileManager.default.contents(atPath: url.path) else { return }
    self.url = url
    let values = try Self.values(of: data, url)
    namespace = values["namespace"] as? String ?? namespace
    if let value = values["schema"] {
      guard let paths = value as? [String] ?? (value as? String).map({ [$0] }) else {
        throw ConfigurationProblem(url, #""schema" must be a path or a list of paths."#)
      }
      schemaPaths = paths
    }
    schema = schemaPaths.map { URL(filePath: $0, relativeTo: base).absoluteURL }
    usage = try Usage(values["pruning"], in: url)
    if let path = values["output"] as? String {
      output = URL(filePath: path, relativeTo: base).absoluteURL
    }
    let operations = values["operations"] as? [String: Any]
    documentNamespace = operations?["namespace"] as? String
    schemaModule = operations?["schemaModule"] as? String
    if let value = operations?["documents"] {
      guard let paths = value as? [String] else {
        throw ConfigurationProblem(url, #""documents" must be a list of paths."#)
      }
      documentPaths = paths
    }
    let layout = values["layout"] as? [String: Any]
    objectFileCount = min(64, max(1, layout?["files"] as? Int ?? objectFileCount))
  }

  private static func values(of data: Data, _ url: URL) throws -> [String: Any] {
    do {
      let values = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      if let values { return values }
    } catch {
      let reason = (error as NSError).userInfo["NSDebugDescription"].map { ": \($0)" } ?? "."
      throw ConfigurationProblem(url, "This is not JSON\(reason)")
    }
    throw ConfigurationProblem(url, "An object is expected: { }.")
  }

  /// Throws if a named file does not exist.
  func checkSchema() throws {
    guard let url else { return }
    for (path, file) in zip(schemaPaths, schema) where file.isExistingFolder != false {
      throw ConfigurationProblem(url, "\"schema\" names \(path), and there is no such file.")
    }
  }

  /// Throws if documents of the module are outside of the folders whose files determine what is used.
  func checkUsage(of documents: [URL]) throws {
    guard let url, !usage.folders.isEmpty else { return }
    let unread = documents.filter { !usage.covers($0) }
    guard !unread.isEmpty else { return }
    let folders = Set(unread.map { usage.path(to: $0.deletingLastPathComponent()) }).sorted()
    throw ConfigurationProblem(
      url,
      "The module is pruned by usage, but documents of it are outside of the listed folders. Write "
        + "\(usage.pruning(with: folders)), or set \"pruning\": \"all\".")
  }

  /// The text that the tool compares with the configuration of the documents at the time of its run.
  var plannedDocuments: String {
    "documents: \(documentPaths), namespace: \(documentNamespace ?? "-"), "
      + "schemaModule: \(schemaModule ?? "-")"
  }

  /// The text that the tool compares with the configuration at the time of its run.
  var planned: String { "schema: \(schemaPaths), usage: \(usage.paths)" }

  var fileNames: [String] {
    let objects = (1...objectFileCount).map { "\(namespace).Objects\($0).swift" }
    return ["\(namespace).swift"] + objects
      + ["Interfaces", "Enums", "Inputs"].map { "\(namespace).\($0).swift" }
  }
}

/// A mistake in `graphql-generator.json` because of which a build cannot be planned.
struct ConfigurationProblem: Error, CustomStringConvertible {
  let description: String

  init(_ file: URL, _ problem: String) { description = "\(file.path): \(problem)" }
}

extension URL {
  /// Whether there is a folder and not a file, after following symbolic links; nil if there is nothing.
  var isExistingFolder: Bool? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder.boolValue
  }

  /// The path relative to a folder; `.` for the folder itself.
  func path(from folder: URL) -> String {
    let origin = folder.standardizedFileURL.pathComponents
    let target = standardizedFileURL.pathComponents
    let common = zip(origin, target).prefix { $0 == $1 }.count
    let steps = origin.dropFirst(common).map { _ in ".." } + target.dropFirst(common)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}

/// The sources that determine which members of a generated module are used: `pruning` in the
/// configuration.
struct Usage {
  /// The folders in the configuration, as absolute paths; empty without pruning.
  let folders: [URL]
  /// The folders as they are written.
  let paths: [String]
  /// The library products whose users in other packages are listed among the folders: a plugin does
  /// not see the packages that depend on its own.
  let products: [String]
  private let configuration: URL

  /// - Parameters:
  ///   - pruning: the value of the key.
  ///   - configuration: the file.
  init(_ pruning: Any?, in configuration: URL) throws {
    let members = pruning as? [String: Any]
    let paths = members?["usage"] as? [String] ?? []
    if paths.isEmpty, pruning is [String: Any] {
      throw ConfigurationProblem(configuration, #""pruning" must have a list of folders, "usage"."#)
    }
    let folder = configuration.deletingLastPathComponent()
    folders = paths.map { URL(filePath: $0, relativeTo: folder).standardizedFileURL }
    self.paths = paths
    products = members?["products"] as? [String] ?? []
    self.configuration = configuration
  }

  /// The Swift sources and documents in the folders: when one of them changes, the module is generated
  /// again.
  var sources: [URL] {
    folders.flatMap { folder -> [URL] in
      let files = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
      return (files?.compactMap { $0 as? URL } ?? []).filter {
        ["swift", "graphql"].contains($0.pathExtension)
      }
    }
  }

  /// Throws if a folder does not exist.
  func checkFolders() throws {
    for (path, folder) in zip(paths, folders) where folder.isExistingFolder != true {
      throw ConfigurationProblem(
        configuration, "\"usage\" names \(path), and there is no such folder.")
    }
  }

  /// The value of `pruning` with further folders and products.
  func pruning(with paths: [String], _ products: [String] = []) -> String {
    func list(_ texts: [String]) -> String {
      texts.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    let products = self.products + products
    let others = products.isEmpty ? "" : ", \"products\": [\(list(products))]"
    return "\"pruning\": { \"usage\": [\(list(self.paths + paths))]\(others) }"
  }

  /// The path of a folder, relative to that of the configuration.
  func path(to folder: URL) -> String {
    folder.path(from: configuration.deletingLastPathComponent())
  }

  /// Whether a file or a folder is in one of the folders.
  func covers(_ file: URL) -> Bool {
    let path = file.standardizedFileURL.pathComponents
    return folders.contains { path.starts(with: $0.pathComponents) }
  }
}

extension Usage {
  /// Throws if a folder does not exist, or if a target uses the module and its sources are not read:
  /// members that only they name would be missing.
  func check(consumersOf module: any Target, in package: Package) throws {
    guard !folders.isEmpty else { return }
    try checkFolders()
    let unlisted = package.targets.filter { target in
      target.id != module.id && target.recursiveTargetDependencies.contains { $0.id == module.id }
        && !covers(target.directoryURL)
    }
    guard unlisted.isEmpty else {
      let consumers = unlisted.sorted { $0.name < $1.name }
      throw UnlistedConsumers(
        module: module.name, consumers: consumers.map(\.name),
        pruning: pruning(with: consumers.map { path(to: $0.directoryURL) }))
    }
    let open = package.products.filter { product in
      product is LibraryProduct && product.targets.contains { $0.id == module.id }
        && !products.contains(product.name)
    }
    guard open.isEmpty else {
      throw OtherPackages(
        module: module.name, products: open.map(\.name),
        pruning: pruning(with: ["…"], open.map(\.name)))
    }
  }
}

/// A target uses a pruned module and is not listed.
private struct UnlistedConsumers: Error, CustomStringConvertible {
  let module: String
  let consumers: [String]
  let pruning: String

  var description: String {
    """
    \(module) is pruned by usage, but \(consumers.joined(separator: ", ")) may use it and is not \
    listed. Write \(pruning), or set "pruning": "all".
    """
  }
}

/// A pruned module is available to other packages, and the configuration does not state that their
/// sources are listed.
private struct OtherPackages: Error, CustomStringConvertible {
  let module: String
  let products: [String]
  let pruning: String

  var description: String {
    """
    \(module) is pruned by usage, but other packages can use it through the product \
    \(products.joined(separator: ", ")). List the folders of all their targets that use it, and then \
    the product: \(pruning). Or remove it from the product, or set "pruning": "all".
    """
  }
}

/// The program that both plugins run.
enum GeneratorTool {
  /// The tool that has only the subcommand for plugins, or that of an artifact bundle, which has all of them.
  ///
  /// - Parameter find: finds a tool by its name, in the context of a plugin.
  static func url(_ find: (String) throws -> URL) throws -> URL {
    if let url = try? find("graphql-generate") { return url }
    return try find("graphql-generator")
  }

  /// The version of this package. A tool from an artifact bundle may be of another one, which may
  /// not know the options that the plugins pass, or generate code for another version of
  /// GraphQLRuntime. So the tool compares this text with its own version first.
  static let version = "0.1.0"

  /// The arguments for a subcommand of the tool.
  static func arguments(_ subcommand: String, _ arguments: [String]) -> [String] {
    ["--plugin-version=\(version)", subcommand] + arguments
  }
}
