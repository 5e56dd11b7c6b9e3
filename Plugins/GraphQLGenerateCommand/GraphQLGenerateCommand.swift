import Foundation
import PackagePlugin

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin
#endif

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
    try generate(
      in: folder, arguments, tool: try GeneratorTool.url { try context.tool(named: $0).url })
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

#if canImport(XcodeProjectPlugin)
  extension GraphQLGenerateCommand: XcodeCommandPlugin {
    /// The command in the context menu of a project: schema, configuration and output are in the
    /// project's folder. A plugin cannot find out which targets compile the output, so only the tool
    /// checks the folders of a pruned module.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try generate(
        in: context.xcodeProject.directoryURL, arguments,
        tool: try GeneratorTool.url { try context.tool(named: $0).url })
    }
  }
#endif
