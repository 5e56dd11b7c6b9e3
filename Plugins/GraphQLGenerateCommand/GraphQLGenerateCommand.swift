import Foundation
import PackagePlugin

/// `swift package generate`: runs `graphql-generator generate` in the package's folder, where the
/// tool finds `schema.json` and `graphql-generator.json` and writes `Generated`. All arguments are
/// passed on.
@main
struct GraphQLGenerateCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try checkUsage(in: context.package)
    let tool = Process()
    tool.executableURL = try context.tool(named: "graphql-generator").url
    tool.arguments = ["generate"] + arguments
    tool.currentDirectoryURL = context.package.directoryURL
    try tool.run()
    tool.waitUntilExit()
    // The tool has reported the error; its exit status is passed on.
    if tool.terminationReason != .exit || tool.terminationStatus != 0 {
      exit(tool.terminationReason == .exit ? tool.terminationStatus : 1)
    }
  }

  /// All targets that use a pruned module must be listed. The tool reports a configuration that
  /// cannot be read.
  private func checkUsage(in package: Package) throws {
    let folder = package.directoryURL
    let configuration = folder.appending(path: "graphql-generator.json")
    guard let data = FileManager.default.contents(atPath: configuration.path),
      let values = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let usage = try? Usage(values["pruning"], in: configuration)
    else { return }
    let output = URL(filePath: values["output"] as? String ?? "Generated", relativeTo: folder)
    let module = package.targets.first {
      $0.directoryURL.standardizedFileURL.path == output.standardizedFileURL.path
    }
    if let module { try usage.check(consumersOf: module, in: package) }
  }
}
