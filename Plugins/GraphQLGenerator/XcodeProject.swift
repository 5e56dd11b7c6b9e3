// For Xcode alone: every user's clean build compiles the plugin, and without Xcode none can use this. The
// suite plugin-consumer sets XCODE_PROJECTS to test it without Xcode.
#if canImport(XcodeProjectPlugin) || XCODE_PROJECTS
  import Foundation
  import PackagePlugin

  /// The files of an Xcode project from which the module of one of its targets is generated. They are
  /// files of the target, or in one of two folders: the one with the target's name in the project's
  /// folder, and the project's folder itself.
  struct ProjectFiles {
    /// nil if the target has documents and no schema of its own.
    let module: ModuleSource?
    /// The folder of the configuration, if there is one.
    let folder: URL

    /// - Parameters:
    ///   - target: the target's name.
    ///   - files: the target's files.
    ///   - project: the folder of the project.
    ///   - usesOtherSchema: whether the target depends on one with a schema, which has precedence over
    ///     one in the project's folder for documents.
    init(
      target: String, files: [URL], project: URL, usesOtherSchema: () -> Bool = { false }
    ) throws {
      let configurations = files.filter { $0.lastPathComponent == ConfigurationFile.name }
      guard configurations.count <= 1 else {
        throw ProjectProblem(
          "The target \(target) has several \(ConfigurationFile.name): "
            + configurations.map { $0.path(from: project) }.sorted().joined(separator: ", ")
            + ". In Xcode, select all but one and remove \(target) under Target Membership in the "
            + "File inspector.")
      }
      let schemas = files.filter(GraphQLFile.isSchema).sorted { $0.path < $1.path }
      let hasDocuments = files.contains(where: GraphQLFile.isDocument)
      if let file = configurations.first ?? schemas.first {
        folder = file.deletingLastPathComponent()
        let schemas = schemas.isEmpty ? nil : schemas
        module =
          hasDocuments
          ? try ModuleSource.ifAny(in: folder, schemas: schemas)
          : try ModuleSource(folder: folder, schemas: schemas)
      } else {
        let folders = [project.appending(path: target), project]
        let found = hasDocuments && usesOtherSchema() ? nil : folders.first(where: Self.hasInput)
        guard found != nil || hasDocuments || usesOtherSchema() else {
          throw NoProjectSchema(target: target, project: project)
        }
        folder = found ?? folders[0]
        module = try found.flatMap {
          hasDocuments ? try ModuleSource.ifAny(in: $0) : try ModuleSource(folder: $0)
        }
      }
      try checkUsage(in: target, files: files)
    }

    /// The files of a target, as Xcode lists them. If none of them is a Swift file, the list may lack
    /// the files of folders that the target has instead of groups, so the documents in the folder with
    /// the target's name are added.
    static func inputs(of target: String, listed: [URL], project: URL) -> [URL] {
      guard !listed.contains(where: { $0.pathExtension == "swift" }) else { return listed }
      let documents = try? FolderSearch(documentsIn: project.appending(path: target)).documents
      return listed + (documents ?? []).filter { !listed.contains($0) }
    }

    private static func hasInput(_ folder: URL) -> Bool {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.contains {
        $0 == ConfigurationFile.name || GraphQLFile.isSchema(folder.appending(path: $0))
      }
    }

    /// Plugins cannot find out which other targets use the module. The sources of this one do.
    private func checkUsage(in target: String, files: [URL]) throws {
      guard let usage = module?.configuration.usage else { return }
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

  /// A target of an Xcode project has neither a schema nor documents.
  struct NoProjectSchema: Error, CustomStringConvertible {
    let target: String
    let project: URL

    var description: String {
      """
      The target \(target) has no schema for GraphQLGenerator. Put schema.json, schema.graphqls, or a \
      \(ConfigurationFile.name) that names it, into the folder \(project.path). Or add it to the target: in \
      Xcode, select the file and check \(target) under Target Membership in the File inspector.
      """
    }
  }

  /// A mistake in the files of an Xcode project.
  struct ProjectProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
#endif

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GraphQLGenerator: XcodeBuildToolPlugin {
    /// Xcode's sandbox lets the tool read all files, and write only to the plugin's folder.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let work = context.pluginWorkDirectoryURL
      let place = XcodePlace(project: context.xcodeProject.directoryURL, work: work)
      let project = try place.files(of: target)
      var module = DocumentModule(target, at: place)
      module.isUsed = context.xcodeProject.targets.contains { other in
        other.dependencies.contains { dependency in
          if case .target(let used) = dependency { used.id == target.id } else { false }
        }
      }
      return try ModuleSource.commands(
        for: module, source: project.module,
        tool: try GeneratorTool.url { try context.tool(named: $0).url }, workFolder: work)
    }
  }

  /// The folders of a project and of the plugin's output.
  struct XcodePlace {
    let project: URL
    let work: URL

    func inputs(of target: XcodeTarget) -> [URL] {
      // A plan for files that the last build has generated would differ from the first one.
      let listed = target.inputFiles.map(\.url).filter { !$0.path.hasPrefix(work.path) }
      return ProjectFiles.inputs(of: target.displayName, listed: listed, project: project)
    }

    func files(of target: XcodeTarget) throws -> ProjectFiles {
      try ProjectFiles(target: target.displayName, files: inputs(of: target), project: project) {
        DocumentModule.dependencies(of: target, at: self).contains { module in
          (try? module.schema()) != nil || module.hasSchemaModule
        }
      }
    }
  }

  extension DocumentModule {
    init(_ target: XcodeTarget, at place: XcodePlace) {
      id = target.id
      name = String(
        (target.product?.name ?? target.displayName)
          .map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
      let own = Result { try place.files(of: target) }
      folder = (try? own.get())?.folder ?? place.project
      files = place.inputs(of: target)
      schema = {
        // Not every target has this plugin.
        do { return try own.get().module } catch is NoProjectSchema { return nil }
      }
      dependencies = { Self.dependencies(of: target, at: place) }
    }

    static func dependencies(of target: XcodeTarget, at place: XcodePlace) -> [DocumentModule] {
      target.dependencies.flatMap { dependency -> [DocumentModule] in
        switch dependency {
        case .target(let target): [DocumentModule(target, at: place)]
        case .product(let product): product.targets.map { DocumentModule($0, in: nil) }
        @unknown default: []
        }
      }
    }
  }
#endif
