import Foundation
import PackagePlugin

/// The files of an Xcode project from which the module of one of its targets is generated. They are
/// files of the target, or in one of two folders: the one with the target's name in the project's
/// folder, and the project's folder itself.
struct ProjectFiles {
  let module: ModuleSource

  /// - Parameters:
  ///   - target: the target's name.
  ///   - files: the target's files.
  ///   - project: the folder of the project.
  init(target: String, files: [URL], project: URL) throws {
    let configurations = files.filter { $0.lastPathComponent == ConfigurationFile.name }
    guard configurations.count <= 1 else {
      throw ProjectProblem(
        "The target \(target) has several \(ConfigurationFile.name): "
          + configurations.map { $0.path(from: project) }.sorted().joined(separator: ", ")
          + ". In Xcode, select all but one and remove \(target) under Target Membership in the "
          + "File inspector.")
    }
    let schemas = files.filter(ModuleSource.isSchema).sorted { $0.path < $1.path }
    if let file = configurations.first ?? schemas.first {
      let folder = file.deletingLastPathComponent()
      module = try ModuleSource(folder: folder, schemas: schemas.isEmpty ? nil : schemas)
    } else {
      let folders = [project.appending(path: target), project]
      guard let folder = folders.first(where: Self.hasInput) else {
        throw ProjectProblem(
          "The target \(target) has no schema for GraphQLGenerator. Put schema.json, "
            + "schema.graphqls, or a \(ConfigurationFile.name) that names it, into the folder "
            + "\(project.path). Or add it to the target: in Xcode, select the file and check "
            + "\(target) under Target Membership in the File inspector.")
      }
      module = try ModuleSource(folder: folder)
    }
    try checkUsage(in: target, files: files)
  }

  private static func hasInput(_ folder: URL) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.contains {
      $0 == ConfigurationFile.name || ModuleSource.isSchema(folder.appending(path: $0))
    }
  }

  /// Plugins cannot find out which other targets use the module. The sources of this one do.
  private func checkUsage(in target: String, files: [URL]) throws {
    let usage = module.configuration.usage
    try usage.checkFolders()
    guard !usage.folders.isEmpty else { return }
    let unread = files.filter { $0.pathExtension == "swift" && !usage.covers($0) }
    guard unread.isEmpty else {
      let folders = Set(unread.map { usage.path(to: $0.deletingLastPathComponent()) }).sorted()
      throw ProjectProblem(
        "The module generated in \(target) is pruned by usage, but sources of \(target) are "
          + "outside of the listed folders. Write \(usage.pruning(with: folders)), or set "
          + "\"pruning\": \"all\".")
    }
  }
}

/// A mistake in the files of an Xcode project.
struct ProjectProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GraphQLGenerator: XcodeBuildToolPlugin {
    /// Xcode's sandbox lets the tool read all files, and write only to the plugin's folder.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let work = context.pluginWorkDirectoryURL
      // A plan for files that the last build has generated would differ from the first one.
      let files = target.inputFiles.map(\.url).filter { !$0.path.hasPrefix(work.path) }
      let project = try ProjectFiles(
        target: target.displayName, files: files, project: context.xcodeProject.directoryURL)
      return [
        project.module.command(
          target: target.displayName, tool: try context.tool(named: GeneratorTool.name).url,
          workFolder: work)
      ]
    }
  }
#endif
