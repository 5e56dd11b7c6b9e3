import Foundation
import PackagePlugin

/// Generates Swift for the schema in a target's folder, whenever the target is built.
///
/// The folder has a schema (`schema.json`, `*.graphqls` or `*.graphql`) and may have a
/// `graphql-generator.json`, which can name the schema's files.
@main
struct GraphQLGenerator: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL
    let configuration = try Configuration(in: folder)
    let schema = try configuration.schema(in: folder, package: context.package.directoryURL)
    let output = context.pluginWorkDirectoryURL.appending(path: "Generated")

    var arguments = ["generate", "--quiet", "--fixed-outputs", "--output", output.path]
    if let url = configuration.url { arguments += ["--config", url.path] }
    arguments += ["--schema"] + schema.map(\.path)
    return [
      .buildCommand(
        displayName: "Generating \(configuration.namespace) for \(target.name)",
        executable: try context.tool(named: "graphql-generator").url,
        arguments: arguments,
        inputFiles: schema + [configuration.url].compactMap(\.self),
        outputFiles: configuration.fileNames.map { output.appending(path: $0) })
    ]
  }
}

/// The part of `graphql-generator.json` that has to be known before the tool runs.
private struct Configuration {
  /// nil where there is no configuration.
  private(set) var url: URL?
  private(set) var namespace = "API"
  private var objectFileCount = 4
  private var schemaPaths: [String] = []

  private static let name = "graphql-generator.json"

  /// What cannot be read here keeps its default: the tool reads the file as well, and says what is
  /// wrong and where.
  init(in folder: URL) throws {
    let url = folder.appending(path: Self.name)
    guard let data = FileManager.default.contents(atPath: url.path) else { return }
    self.url = url
    guard let values = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return
    }
    namespace = values["namespace"] as? String ?? namespace
    schemaPaths = values["schema"] as? [String] ?? (values["schema"] as? String).map { [$0] } ?? []
    let layout = values["layout"] as? [String: Any]
    objectFileCount = min(64, max(1, layout?["files"] as? Int ?? objectFileCount))
  }

  /// The names of all generated files.
  var fileNames: [String] {
    let parts = (1...objectFileCount).map { "Objects\($0)" } + ["Interfaces", "Enums", "Inputs"]
    return ["\(namespace).swift"] + parts.map { "\(namespace).\($0).swift" }
  }

  /// The configured files, relative to the target or the package, or else the one in the folder.
  func schema(in folder: URL, package: URL) throws -> [URL] {
    let manager = FileManager.default
    if !schemaPaths.isEmpty {
      return schemaPaths.map { path in
        let inTarget = URL(filePath: path, relativeTo: folder).absoluteURL
        let inPackage = URL(filePath: path, relativeTo: package).absoluteURL
        let isInPackage =
          !manager.fileExists(atPath: inTarget.path) && manager.fileExists(atPath: inPackage.path)
        return isInPackage ? inPackage : inTarget
      }
    }
    let candidates = try manager.contentsOfDirectory(atPath: folder.path).sorted().filter {
      $0 == "schema.json" || $0.hasSuffix(".graphqls") || $0.hasSuffix(".graphql")
    }
    guard candidates.count == 1 else { throw SchemaNotFound(folder: folder, found: candidates) }
    return [folder.appending(path: candidates[0])]
  }

  private struct SchemaNotFound: Error, CustomStringConvertible {
    let folder: URL
    let found: [String]

    var description: String {
      if found.isEmpty {
        return """
          \(folder.path): There is no schema for GraphQLGenerator. Add schema.json or \
          schema.graphqls, or name it in \(name): { "schema": "path" }.
          """
      }
      return """
        \(folder.path): There are several schemas: \(found.joined(separator: ", ")). Name those to \
        use in \(name): { "schema": ["\(found[0])"] }.
        """
    }
  }
}
