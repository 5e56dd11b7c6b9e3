import Foundation
import PackagePlugin

/// Generates Swift for the schema and the documents of a target whenever the target is built.
///
/// The target's folder has one schema (`schema.json`, `*.graphqls` or `*.graphql`), or a
/// `graphql-generator.json` that names the schema's files. The other `*.graphql` files of the target,
/// also those in folders of its folder, are documents: operations and fragments. A target with
/// documents needs no schema if it depends on a target that has one. `XcodeProject.swift` describes
/// where the files are in an Xcode project.
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
    var module = DocumentModule(target, in: context.package)
    module.isUsed = context.package.isUsed(target)
    let source = try ModuleSource.ifAny(in: target.directoryURL)
    try source?.configuration.usage.check(consumersOf: target, in: context.package)
    return try ModuleSource.commands(
      for: module, source: source, tool: try GeneratorTool.url { try context.tool(named: $0).url },
      workFolder: context.pluginWorkDirectoryURL)
  }
}

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

  /// The source of a module that may have no schema; nil if there is none.
  ///
  /// - Parameter schemas: as for the other initialiser.
  static func ifAny(in folder: URL, schemas: [URL]? = nil) throws -> ModuleSource? {
    let namesSchema = try !ConfigurationFile(in: folder).schema.isEmpty
    let schemas = try schemas ?? Self.schemas(in: folder)
    return !namesSchema && schemas.isEmpty
      ? nil : try ModuleSource(folder: folder, schemas: schemas)
  }

  /// The schemas that are directly in a folder, by name.
  static func schemas(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appending(path: $0) }.filter(GraphQLFile.isSchema)
  }

  /// The files of schema and configuration.
  var inputs: [URL] {
    configuration.schema + [configuration.url, unnamedSchema].compactMap(\.self)
  }

  /// The arguments that name them.
  var arguments: [String] {
    (configuration.url.map { ["--config", $0.path, "--planned", configuration.planned] } ?? [])
      + (unnamedSchema.map { ["--schema", $0.path] } ?? [])
  }

  /// The command that generates the module.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - workFolder: where the plugin may write.
  func command(target: String, tool: URL, workFolder: URL) -> Command {
    let output = workFolder.appending(path: "Generated")
    let arguments = ["--quiet", "--output", output.path] + self.arguments
    return .buildCommand(
      displayName: "Generating \(configuration.namespace) for \(target)",
      executable: tool,
      arguments: GeneratorTool.arguments(
        "generate", arguments + ["--file-names"] + configuration.fileNames),
      inputFiles: inputs + configuration.usage.sources,
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
        schema.graphqls, or name it in \(ConfigurationFile.name): { "schema": "path" }. A target that \
        depends on one with a schema needs none, and may have GraphQL documents.
        """
    }
    let list = found.map { "\"\($0.path(from: folder))\"" }.joined(separator: ", ")
    return """
      \(folder.path): There are several schemas. List those that belong together in \
      \(ConfigurationFile.name): { "schema": [\(list)] }.
      """
  }
}

/// A target's own file has the name of a generated one.
private struct SameFileName: Error, CustomStringConvertible {
  let description: String
}

extension DocumentModule {
  /// Throws if a Swift file of the target has the name of a generated file. Both would have the same object file.
  fileprivate func checkFileNames(_ names: [String], wayOut: String) throws {
    // Some file systems ignore the case.
    let generated = Dictionary(
      names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for file in files {
      guard let name = generated[file.lastPathComponent.lowercased()] else { continue }
      throw SameFileName(
        description: """
          \(file.path): GraphQLGenerator generates a file of this name for \(self.name), \(name), and a module \
          cannot have two. Rename the file, \(wayOut).
          """)
    }
  }
}

extension ModuleSource {
  /// The commands for the schema of a target, if it has one, and for its documents, if there are any.
  ///
  /// They are separate, so that an edit of a document does not generate the schema's types again.
  static func commands(
    for module: DocumentModule, source: ModuleSource?, tool: URL, workFolder: URL
  ) throws -> [Command] {
    let documents = try DocumentSet(module, source: source)
    if let documents { try source?.configuration.checkUsage(of: documents.documents) }
    try module.checkFileNames(
      source?.configuration.fileNames ?? [],
      wayOut: "or set another \"namespace\" in \(ConfigurationFile.name)")
    try module.checkFileNames(
      documents?.outputNames ?? [],
      wayOut: "the document, or the \"namespace\" of \"operations\" in \(ConfigurationFile.name)")
    if documents == nil, source == nil {
      // The target may have had documents before, or will have some.
      if module.hasSchemaModule {
        Diagnostics.warning(
          "\(module.name) has no GraphQL documents, so GraphQLGenerator generates nothing for it.")
        return []
      }
      // Throws the error about the schema.
      _ = try ModuleSource(folder: module.folder)
    }
    return [
      source?.command(target: module.name, tool: tool, workFolder: workFolder),
      documents?.command(target: module.name, tool: tool, workFolder: workFolder),
    ].compactMap(\.self)
  }
}
