#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  extension GraphQLGenerateCommand: XcodeCommandPlugin {
    /// The command in the context menu of a project: schema, configuration and output are in the
    /// project's folder. A plugin cannot find out which targets compile the output, so only the tool
    /// checks the folders of a pruned module.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try generate(
        in: context.xcodeProject.directoryURL, arguments,
        tool: try context.tool(named: GeneratorTool.name).url)
    }
  }
#endif
