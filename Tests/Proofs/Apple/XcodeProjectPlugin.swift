// A stand-in for the module XcodeProjectPlugin, which exists only in Xcode: the part of its public API that the
// plugins use, from its documentation. With it, their sources are type-checked on Linux.

public import Foundation
public import PackagePlugin

public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public let pluginWorkDirectoryURL: URL

  public func tool(named name: String) throws -> PluginContext.Tool { fatalError() }
}

public struct XcodeProject {
  public let displayName: String
  public let directoryURL: URL
  public let targets: [XcodeTarget]
}

public struct XcodeTarget: Identifiable {
  public let id: String
  public let displayName: String
  public let product: XcodeProduct?
  public let dependencies: [XcodeTargetDependency]
  public let inputFiles: FileList
}

public enum XcodeTargetDependency {
  case target(XcodeTarget)
  case product(PackagePlugin.Product)
}

public struct XcodeProduct {
  public let name: String
}

public protocol XcodeBuildToolPlugin: BuildToolPlugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public protocol XcodeCommandPlugin: CommandPlugin {
  func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

// In Xcode, a plugin for projects only does not have the requirements for packages.
extension XcodeBuildToolPlugin {
  public func createBuildCommands(context: PluginContext, target: any Target) async throws
    -> [Command]
  { [] }
}

extension XcodeCommandPlugin {
  public func performCommand(context: PluginContext, arguments: [String]) async throws {}
}
