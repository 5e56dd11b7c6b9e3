import Foundation
import PackagePlugin

/// The files from which the module of a target is generated.
struct ModuleSource {
  let configuration: ConfigurationFile
  /// The schema, if the configuration does not name its files.
  private let unnamedSchema: URL?

  /// - Parameters:
  ///   - folder: the folder of the configuration, and of the schema unless the configuration names it.
  ///   - schemas: the schemas among which the only one is used; by default those in the folder.
  init(folder: URL, schemas: [URL]? = nil) throws {
    configuration = try ConfigurationFile(in: folder)
    try configuration.checkSchema()
    guard configuration.schema.isEmpty else {
      unnamedSchema = nil
      return
    }
    let schemas = try schemas ?? Self.schemas(in: folder)
    guard schemas.count == 1 else {
      throw NotOneSchema(folder: folder, found: schemas)
    }
    unnamedSchema = schemas[0]
  }

  /// Whether a file has the name of a schema.
  static func isSchema(_ file: URL) -> Bool {
    file.lastPathComponent == "schema.json" || ["graphqls", "graphql"].contains(file.pathExtension)
  }

  /// The schemas that are directly in a folder, by name.
  static func schemas(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appending(path: $0) }.filter(isSchema)
  }

  /// - Parameters:
  ///   - target: its name.
  ///   - workFolder: where the plugin may write.
  func command(target: String, tool: URL, workFolder: URL) -> Command {
    let output = workFolder.appending(path: "Generated")
    var arguments = ["--quiet", "--output", output.path]
    var inputs = configuration.schema + configuration.usage.sources
    if let url = configuration.url {
      arguments += ["--config", url.path, "--planned", configuration.planned]
      inputs.append(url)
    }
    if let unnamedSchema {
      arguments += ["--schema", unnamedSchema.path]
      inputs.append(unnamedSchema)
    }
    return .buildCommand(
      displayName: "Generating \(configuration.namespace) for \(target)",
      executable: tool,
      arguments: GeneratorTool.arguments(
        "generate", arguments + ["--file-names"] + configuration.fileNames),
      inputFiles: inputs,
      outputFiles: configuration.fileNames.map { output.appending(path: $0) })
  }
}

/// There is no schema, or there are several.
private struct NotOneSchema: Error, CustomStringConvertible {
  let folder: URL
  let found: [URL]

  var description: String {
    if found.isEmpty {
      return """
        \(folder.path): There is no schema for GraphQLGenerator. Add schema.json or \
        schema.graphqls, or name it in \(ConfigurationFile.name): { "schema": "path" }.
        """
    }
    let list = found.map { "\"\($0.path(from: folder))\"" }.joined(separator: ", ")
    return """
      \(folder.path): There are several schemas. List those that belong together in \
      \(ConfigurationFile.name): { "schema": [\(list)] }.
      """
  }
}
