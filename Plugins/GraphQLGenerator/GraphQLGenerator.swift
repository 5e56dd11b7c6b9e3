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
