import Foundation
import PackagePlugin

/// `swift package generate`: runs `graphql-generator generate` in the package's folder, where the
/// tool finds `schema.json` and `graphql-generator.json` and writes `Generated`. All arguments are
/// passed on.
@main
struct GraphQLGenerateCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let folder = context.package.directoryURL
    // The tool reports a configuration that cannot be read.
    if let configuration = try? ConfigurationFile(in: folder) {
      let output = configuration.output.standardizedFileURL.path
      let module = context.package.targets.first {
        $0.directoryURL.standardizedFileURL.path == output
      }
      if let module { try configuration.usage.check(consumersOf: module, in: context.package) }
    }
    try generate(in: folder, arguments, tool: try context.tool(named: GeneratorTool.name).url)
  }

  /// Runs the tool in a folder. If it fails, the plugin ends with its exit status.
  func generate(in folder: URL, _ arguments: [String], tool url: URL) throws {
    // Xcode passes the targets that are selected in its dialog. The module is for the folder.
    var extractor = ArgumentExtractor(arguments)
    _ = extractor.extractOption(named: "target")

    let tool = Process()
    tool.executableURL = url
    tool.arguments = GeneratorTool.arguments("generate", extractor.remainingArguments)
    tool.currentDirectoryURL = folder
    try tool.run()
    tool.waitUntilExit()
    // The tool has reported the error.
    if tool.terminationReason != .exit || tool.terminationStatus != 0 {
      exit(tool.terminationReason == .exit ? tool.terminationStatus : 1)
    }
  }
}
