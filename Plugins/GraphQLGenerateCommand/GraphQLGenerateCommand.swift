import Foundation
import PackagePlugin

/// `swift package generate`: runs `graphql-generator generate` in the package's folder, where the
/// tool finds `schema.json` and `graphql-generator.json` and writes `Generated`. All arguments are
/// passed on.
@main
struct GraphQLGenerateCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let folder = context.package.directoryURL
    if let (usage, output) = plannedUsage(in: folder) {
      let module = context.package.targets.first {
        $0.directoryURL.standardizedFileURL.path == output.standardizedFileURL.path
      }
      if let module { try usage.check(consumersOf: module, in: context.package) }
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

  /// `pruning` in the configuration of a folder, and the folder that is written. The tool reports a
  /// configuration that cannot be read.
  private func plannedUsage(in folder: URL) -> (Usage, output: URL)? {
    let configuration = folder.appending(path: "graphql-generator.json")
    guard let data = FileManager.default.contents(atPath: configuration.path),
      let values = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let usage = try? Usage(values["pruning"], in: configuration)
    else { return nil }
    let output = URL(
      filePath: values["output"] as? String ?? "Generated",
      relativeTo: configuration.deletingLastPathComponent())
    return (usage, output)
  }
}
