import Foundation
import PackagePlugin

/// Generates Swift for the schema of a target whenever the target is built.
///
/// The target's folder has one schema (`schema.json`, `*.graphqls` or `*.graphql`), or a
/// `graphql-generator.json` that names the schema's files.
@main
struct GraphQLGenerator: BuildToolPlugin {
  /// SwiftPM calls the plugin once and keeps the result until files are added or removed or the
  /// manifest changes. So the plugin passes the file names to the tool, which uses them even when
  /// the configuration is edited, and what the configuration names, without which the tool would
  /// not notice that SwiftPM watches other files.
  ///
  /// After an error in the plugin, the next build calls it again. So everything that the inputs
  /// depend on is checked here: SwiftPM would keep inputs that do not exist.
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let configuration = try ConfigurationFile(in: target.directoryURL)
    let output = context.pluginWorkDirectoryURL.appending(path: "Generated")

    var arguments = ["generate", "--quiet", "--output", output.path]
    try configuration.checkSchema()
    try configuration.usage.check(consumersOf: target, in: context.package)
    var inputs = configuration.schema + configuration.usage.sources
    if let url = configuration.url {
      arguments += ["--config", url.path, "--planned", configuration.planned]
      inputs.append(url)
    }
    if configuration.schema.isEmpty {
      let schema = try onlySchema(in: target.directoryURL)
      arguments += ["--schema", schema.path]
      inputs.append(schema)
    }
    return [
      .buildCommand(
        displayName: "Generating \(configuration.namespace) for \(target.name)",
        executable: try context.tool(named: "graphql-generator").url,
        arguments: arguments + ["--file-names"] + configuration.fileNames,
        inputFiles: inputs,
        outputFiles: configuration.fileNames.map { output.appending(path: $0) })
    ]
  }

  private func onlySchema(in folder: URL) throws -> URL {
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
      $0 == "schema.json" || $0.hasSuffix(".graphqls") || $0.hasSuffix(".graphql")
    }
    guard found.count == 1 else { throw NotOneSchema(folder: folder.path, found: found) }
    return folder.appending(path: found[0])
  }
}

/// The part of `graphql-generator.json` that the plugin needs before the tool runs. Other unreadable
/// values than the names of inputs keep their default: the tool reads the file as well, and reports
/// errors with their position.
private struct ConfigurationFile {
  static let name = "graphql-generator.json"

  /// nil if there is no such file.
  private(set) var url: URL?
  private(set) var namespace = "API"
  /// The named files.
  private(set) var schema: [URL] = []
  /// Their paths in the configuration.
  private var schemaPaths: [String] = []
  private(set) var usage: Usage
  private var objectFileCount = 4

  init(in folder: URL) throws {
    let url = folder.appending(path: Self.name)
    usage = try Usage(nil, in: url)
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
    schema = schemaPaths.map { URL(filePath: $0, relativeTo: folder).absoluteURL }
    usage = try Usage(values["pruning"], in: url)
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

  /// The text that the tool compares with the configuration at the time of its run.
  var planned: String { "schema: \(schemaPaths), usage: \(usage.paths)" }

  var fileNames: [String] {
    let objects = (1...objectFileCount).map { "\(namespace).Objects\($0).swift" }
    return ["\(namespace).swift"] + objects
      + ["Interfaces", "Enums", "Inputs"].map { "\(namespace).\($0).swift" }
  }
}

/// There is no schema, or there are several.
private struct NotOneSchema: Error, CustomStringConvertible {
  let folder: String
  let found: [String]

  var description: String {
    if found.isEmpty {
      return """
        \(folder): There is no schema for GraphQLGenerator. Add schema.json or schema.graphqls, or \
        name it in \(ConfigurationFile.name): { "schema": "path" }.
        """
    }
    let list = found.map { "\"\($0)\"" }.joined(separator: ", ")
    return """
      \(folder): There are several schemas. List those that belong together in \
      \(ConfigurationFile.name): { "schema": [\(list)] }.
      """
  }
}
