import Foundation
import PackagePlugin

/// `swift package generate`: runs `graphql-generator generate` in the package's folder, where the
/// tool finds `schema.json` and `graphql-generator.json` and writes `Generated`. All arguments are
/// passed on.
@main
struct GraphQLGenerateCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let tool = Process()
    tool.executableURL = try context.tool(named: "graphql-generator").url
    tool.arguments = ["generate"] + arguments
    tool.currentDirectoryURL = context.package.directoryURL
    try tool.run()
    tool.waitUntilExit()
    // The tool has said what is wrong; its exit status is passed on.
    if tool.terminationReason != .exit || tool.terminationStatus != 0 {
      exit(tool.terminationReason == .exit ? tool.terminationStatus : 1)
    }
  }
}
