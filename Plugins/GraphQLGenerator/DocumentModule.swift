import Foundation
import PackagePlugin

/// A target, as far as its GraphQL documents are concerned: its files, and the modules that it uses.
struct DocumentModule {
  let id: String
  /// The name with which it is imported.
  let name: String
  /// The folder of its configuration.
  let folder: URL
  /// The target's files, without excluded ones.
  let files: [URL]
  /// The schema from which the module is generated; nil if it is not generated.
  let schema: () throws -> ModuleSource?
  /// Whether another target may use the module, and its fragments.
  var isUsed = false
  /// Whether the module is in another package than the target of the build, which then cannot use its types
  /// with the access `package`.
  var isInOtherPackage = false
  /// Made on demand, since few of a package's targets are needed.
  let dependencies: () -> [DocumentModule]

  /// The `*.graphql` files of the target with operations and fragments, by path. `DocumentSet` has all
  /// documents of the module.
  var documents: [URL] {
    files.filter(GraphQLFile.isDocument).sorted { $0.path < $1.path }
  }

  /// The schema in one of the folders of a dependency, which need not be one of this plugin; nil if there is
  /// none. Throws if there is one with a mistake.
  static func schema(in folders: [URL]) throws -> ModuleSource? {
    for folder in folders {
      let schemas = try ModuleSource.schemas(in: folder).filter { file in
        guard file.pathExtension == "json" else { return true }
        // A `schema.json` could be anything there.
        let text = try? Data(contentsOf: file, options: .mappedIfSafe).prefix(4096)
        return text?.range(of: Data("__schema".utf8)) != nil
      }
      if let source = try ModuleSource.ifAny(in: folder, schemas: schemas) { return source }
    }
    return nil
  }

  /// The modules that this one uses, nearest first.
  var used: [DocumentModule] { Array(levels.joined()) }

  /// The modules that this one uses, nearest first: a list for each distance.
  private var levels: [[DocumentModule]] {
    var known: Set = [id]
    var levels: [[DocumentModule]] = []
    var level = [self]
    while true {
      level = level.flatMap { $0.dependencies() }.filter { known.insert($0.id).inserted }
      if level.isEmpty { return levels }
      levels.append(level)
    }
  }

  /// The nearest modules with a schema.
  ///
  /// Throws if the only schemas have mistakes. SwiftPM may stop at this module, so that the build of the
  /// other one does not report them. If there is another schema, a mistake does not matter: the module
  /// need not be one of this plugin.
  private func nearestSchemas(named name: String?) throws -> [SchemaModule] {
    var mistake: SchemaMistake?
    for level in levels {
      var found: [SchemaModule] = []
      for module in level where name == nil || module.name == name {
        do {
          guard let source = try module.schema() else { continue }
          found.append(SchemaModule(name: module.name, source: source))
        } catch {
          mistake =
            mistake ?? SchemaMistake(module: self.name, dependency: module.name, error: error)
        }
      }
      if !found.isEmpty { return found.sorted { $0.name < $1.name } }
    }
    if let mistake { throw mistake }
    return []
  }

  /// Whether one of the used modules has a schema, perhaps with a mistake.
  var hasSchemaModule: Bool { (try? nearestSchemas(named: nil).isEmpty) != true }

  /// The module for whose schema the documents are.
  ///
  /// - Parameter configuration: may name the module.
  func schemaModule(_ configuration: ConfigurationFile) throws -> SchemaModule {
    let found = try nearestSchemas(named: configuration.schemaModule)
    if found.count == 1 { return found[0] }
    throw NotOneSchemaModule(
      folder: folder, module: name, wanted: configuration.schemaModule, found: found.map(\.name))
  }
}

/// A module with a schema, for whose documents other modules have.
struct SchemaModule {
  let name: String
  let source: ModuleSource
}

/// The schema of a target's documents cannot be used.
private struct SchemaMistake: Error, CustomStringConvertible {
  let module: String
  let dependency: String
  let error: any Error

  var description: String {
    "\(error) This is a mistake of \(dependency), whose schema the GraphQL documents of \(module) need."
  }
}

/// No module, or several, could have the schema of a target's documents.
private struct NotOneSchemaModule: Error, CustomStringConvertible {
  let folder: URL
  let module: String
  let wanted: String?
  let found: [String]

  var description: String {
    if let wanted {
      return """
        \(folder.path): "schemaModule" in \(ConfigurationFile.name) names \(wanted), and \(module) \
        does not depend on a target of that name with a GraphQL schema.
        """
    }
    if found.isEmpty {
      return """
        \(folder.path): There is no schema for the GraphQL documents of \(module). Add a dependency \
        on the target with the schema, add schema.graphqls to this target, or name the schema's file \
        in \(ConfigurationFile.name): { "schema": "path" }.
        """
    }
    return """
      \(folder.path): The GraphQL documents of \(module) could be for several schemas: \
      \(found.joined(separator: ", ")). Name the module in \(ConfigurationFile.name): \
      { "operations": { "schemaModule": "\(found[0])" } }.
      """
  }
}

extension Package {
  /// Whether another target depends on a target, or other packages can.
  func isUsed(_ target: any Target) -> Bool {
    let dependents = targets.filter { $0.id != target.id }
    return dependents.contains { $0.recursiveTargetDependencies.contains { $0.id == target.id } }
      || products.contains { product in
        product is LibraryProduct && product.targets.contains { $0.id == target.id }
      }
  }
}

extension DocumentModule {
  /// - Parameter package: the package of the build, whose dependencies have further targets; nil in
  ///   Xcode projects, whose plugins do not see the packages.
  init(_ target: any Target, in package: Package?) {
    let sources = target as? any SourceModuleTarget
    id = target.id
    name = sources?.moduleName ?? target.name
    folder = target.directoryURL
    files = sources?.sourceFiles.map(\.url) ?? []
    isInOtherPackage = package?.targets.contains { $0.id == target.id } != true
    schema = {
      let command = package.flatMap { Self.commandFolder(of: target, in: $0) }
      return try Self.schema(in: [target.directoryURL] + (command.map { [$0] } ?? []))
    }
    dependencies = {
      target.dependencies.flatMap { dependency -> [any Target] in
        switch dependency {
        case .target(let target): [target]
        case .product(let product): product.targets
        @unknown default: []
        }
      }
      .map { DocumentModule($0, in: package) }
    }
  }

  /// The package's folder if `swift package generate` writes the module, from files in that folder into
  /// a folder that the configuration names, by default `Generated`.
  private static func commandFolder(of target: any Target, in package: Package) -> URL? {
    guard let owner = owner(of: target, in: package) else { return nil }
    // A configuration that cannot be read is reported as a mistake of the target in the default folder.
    let output =
      (try? ConfigurationFile(in: owner.directoryURL))?.output
      ?? owner.directoryURL.appending(path: "Generated")
    let isWritten =
      output.standardizedFileURL.path == target.directoryURL.standardizedFileURL.path
    return isWritten ? owner.directoryURL : nil
  }

  private static func owner(of target: any Target, in package: Package) -> Package? {
    var known: Set = [package.id]
    var packages = [package]
    while let package = packages.popLast() {
      if package.targets.contains(where: { $0.id == target.id }) { return package }
      packages += package.dependencies.map(\.package).filter { known.insert($0.id).inserted }
    }
    return nil
  }
}

/// All documents of a target, also those that its configuration names, and the command that generates
/// their code.
struct DocumentSet {
  let documents: [URL]
  /// The folders outside of the target's folder in which all documents are used.
  private let folders: [URL]
  private let module: DocumentModule
  /// The target's own, which may differ from that of the schema's module.
  private let configuration: ConfigurationFile
  private let schema: ModuleSource
  /// The module of the schema; nil if it is that of the documents.
  private let schemaModule: String?

  /// nil if the target has no documents.
  ///
  /// - Parameter source: the target's own schema; nil if it has none.
  init?(_ module: DocumentModule, source: ModuleSource?) throws {
    let configuration = try source?.configuration ?? ConfigurationFile(in: module.folder)
    let named = try configuration.namedDocuments()
    var known = Set((source?.inputs ?? []).map(Self.resolved))
    documents = (module.documents + named.files).filter { file in
      known.insert(Self.resolved(file)).inserted
    }
    if documents.isEmpty { return nil }
    folders = named.folders
    self.module = module
    self.configuration = configuration
    if let source, configuration.schemaModule == nil {
      (schema, schemaModule) = (source, nil)
    } else {
      let module = try module.schemaModule(configuration)
      (schema, schemaModule) = (module.source, module.name)
    }
  }

  /// The tool compares paths without symbolic links as well.
  private static func resolved(_ file: URL) -> String { file.resolvingSymlinksInPath().path }

  /// The used modules that have documents for the same schema, by name, with the namespace of their
  /// operations: `ShopUI` or `ShopUI.Shop`. A module with a mistake in its configuration is left out, since
  /// its own build reports it. The tool leaves out those whose types the module cannot use, so that a change of
  /// `access` has an effect without a new plan.
  private var imported: [ImportedDocuments] {
    module.used.compactMap { module in
      guard let set = try? DocumentSet(module, source: module.schema()),
        set.schema.inputs == schema.inputs
      else { return nil }
      let namespace = set.configuration.documentNamespace.map { ".\($0)" } ?? ""
      return ImportedDocuments(
        name: module.name + namespace, documents: set.documents,
        configuration: set.configuration.url,
        isInOtherPackage: module.isInOtherPackage)
    }
    .sorted { $0.name < $1.name }
  }

  private struct ImportedDocuments {
    let name: String
    let documents: [URL]
    let configuration: URL?
    let isInOtherPackage: Bool
  }

  /// One command for all documents: reading the schema takes much longer than generating a document,
  /// fragments are used by other documents, and files that stay the same are not compiled again.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - workFolder: where the plugin may write.
  func command(target: String, tool: URL, workFolder: URL) -> Command {
    let output = workFolder.appending(path: "Documents")
    let imported = self.imported
    let names = outputNames
    var arguments = [
      "--quiet", "--documents-only", "--module", module.name, "--output", output.path,
    ]
    arguments += schema.arguments
    if let schemaModule { arguments += ["--schema-module", schemaModule] }
    // The time of a folder changes when a file is added: the tool finds out that it was not planned.
    var inputs = schema.inputs + documents + folders + imported.flatMap(\.documents)
    if let url = configuration.url, url != schema.configuration.url {
      arguments += ["--document-config", url.path]
      inputs.append(url)
    }
    if module.isUsed { arguments.append("--exported-fragments") }
    // Not as inputs of the command: after an edit of a source, the documents are not generated again.
    arguments += ["--sources", module.folder.path]
    arguments += ["--planned-documents", configuration.plannedDocuments]
    for module in imported {
      for file in module.documents { arguments += ["--imported", "\(module.name)=\(file.path)"] }
      guard let url = module.configuration else { continue }
      let option = module.isInOtherPackage ? "--other-package-config" : "--imported-config"
      arguments += [option, "\(module.name)=\(url.path)"]
      inputs.append(url)
    }
    arguments += ["--documents"] + documents.map(\.path) + ["--file-names"] + names
    return .buildCommand(
      displayName: "Generating GraphQL documents of \(target)", executable: tool,
      arguments: GeneratorTool.arguments("generate", arguments), inputFiles: inputs,
      outputFiles: names.map { output.appending(path: $0) })
  }

  /// The files that the tool writes: that of the namespace, if there is one, and one for each
  /// document. Swift needs different names in a module, whatever the folders are.
  var outputNames: [String] {
    (configuration.documentNamespace.map { [DocumentFileNames.name(forNamespace: $0)] } ?? [])
      + DocumentFileNames.names(for: documents.map(\.path))
  }
}

/// The `*.graphql` files of a target.
enum GraphQLFile {
  /// Whether a file is a schema: by its name, or by its contents if its extension is `graphql`.
  static func isSchema(_ file: URL) -> Bool {
    switch file.pathExtension {
    case "graphqls": true
    case "graphql": !isDocument(file)
    default: file.lastPathComponent == "schema.json"
    }
  }

  /// Whether a file has operations and fragments. A new, empty file counts: its code is generated as
  /// soon as it has contents.
  static func isDocument(_ file: URL) -> Bool {
    guard file.pathExtension == "graphql" else { return false }
    let bytes = (try? Data(contentsOf: file, options: .mappedIfSafe)) ?? Data()
    return DocumentKind(of: Array(bytes)).isDocument(named: file.lastPathComponent)
  }
}

/// The documents outside of a target's folder.
struct NamedDocuments {
  fileprivate(set) var files: [URL] = []
  /// The folders in which all documents are used, and those within them.
  fileprivate(set) var folders: [URL] = []
}

extension ConfigurationFile {
  /// The documents that the configuration names. Throws if a path does not exist.
  func namedDocuments() throws -> NamedDocuments {
    var named = NamedDocuments()
    guard let url else { return named }
    let base = url.deletingLastPathComponent()
    for path in documentPaths {
      let place = URL(filePath: path, relativeTo: base).standardizedFileURL
      switch place.isExistingFolder {
      case nil:
        throw ConfigurationProblem(
          url, "\"documents\" names \(path), and there is no such file or folder.")
      case false?: named.files.append(place)
      case true?:
        let search = try FolderSearch(documentsIn: place)
        named.files += search.documents
        named.folders += search.folders.map { URL(filePath: $0) }
      }
    }
    return named
  }
}

extension FolderSearch {
  init(documentsIn folder: URL) throws {
    try self.init(
      in: folder.path, ending: ".graphql",
      names: { try FileManager.default.contentsOfDirectory(atPath: $0) },
      isFolder: { URL(filePath: $0).isExistingFolder },
      resolved: { URL(filePath: $0).resolvingSymlinksInPath().path })
  }

  /// The files with operations and fragments.
  var documents: [URL] { files.map { URL(filePath: $0) }.filter(GraphQLFile.isDocument) }
}

/// The files from which the module of a target is generated.
struct ModuleSource {
  let configuration: ConfigurationFile
  /// The schema, if the configuration does not name its files.
  private let unnamedSchema: URL?

  /// - Parameters:
  ///   - folder: the folder of the configuration, and of the schema unless the configuration names it.
  ///   - schemas: the schemas among which the only one is used; by default those in the folder.
  init(folder: URL, schemas: [URL]? = nil) throws {
    configuration = try ConfigurationFile(in: folder)
    try configuration.checkSchema()
    guard configuration.schema.isEmpty else {
      unnamedSchema = nil
      return
    }
    let schemas = try schemas ?? Self.schemas(in: folder)
    guard schemas.count == 1 else {
      throw NotOneSchema(folder: folder, found: schemas)
    }
    unnamedSchema = schemas[0]
  }

  /// The source of a module that may have no schema; nil if there is none.
  ///
  /// - Parameter schemas: as for the other initialiser.
  static func ifAny(in folder: URL, schemas: [URL]? = nil) throws -> ModuleSource? {
    let namesSchema = try !ConfigurationFile(in: folder).schema.isEmpty
    let schemas = try schemas ?? Self.schemas(in: folder)
    return !namesSchema && schemas.isEmpty
      ? nil : try ModuleSource(folder: folder, schemas: schemas)
  }

  /// The schemas that are directly in a folder, by name.
  static func schemas(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appending(path: $0) }.filter(GraphQLFile.isSchema)
  }

  /// The files of schema and configuration.
  var inputs: [URL] {
    configuration.schema + [configuration.url, unnamedSchema].compactMap(\.self)
  }

  /// The arguments that name them.
  var arguments: [String] {
    (configuration.url.map { ["--config", $0.path, "--planned", configuration.planned] } ?? [])
      + (unnamedSchema.map { ["--schema", $0.path] } ?? [])
  }

  /// The command that generates the module.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - workFolder: where the plugin may write.
  func command(target: String, tool: URL, workFolder: URL) -> Command {
    let output = workFolder.appending(path: "Generated")
    let arguments = ["--quiet", "--output", output.path] + self.arguments
    return .buildCommand(
      displayName: "Generating \(configuration.namespace) for \(target)",
      executable: tool,
      arguments: GeneratorTool.arguments(
        "generate", arguments + ["--file-names"] + configuration.fileNames),
      inputFiles: inputs + configuration.usage.sources,
      outputFiles: configuration.fileNames.map { output.appending(path: $0) })
  }
}

/// There is no schema, or there are several.
private struct NotOneSchema: Error, CustomStringConvertible {
  let folder: URL
  let found: [URL]

  var description: String {
    if found.isEmpty {
      return """
        \(folder.path): There is no schema for GraphQLGenerator. Add schema.json or \
        schema.graphqls, or name it in \(ConfigurationFile.name): { "schema": "path" }. A target that \
        depends on one with a schema needs none, and may have GraphQL documents.
        """
    }
    let list = found.map { "\"\($0.path(from: folder))\"" }.joined(separator: ", ")
    return """
      \(folder.path): There are several schemas. List those that belong together in \
      \(ConfigurationFile.name): { "schema": [\(list)] }.
      """
  }
}

/// A target's own file has the name of a generated one.
private struct SameFileName: Error, CustomStringConvertible {
  let description: String
}

extension DocumentModule {
  /// Throws if a Swift file of the target has the name of a generated file. Both would have the same object file.
  fileprivate func checkFileNames(_ names: [String], wayOut: String) throws {
    // Some file systems ignore the case.
    let generated = Dictionary(
      names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for file in files {
      guard let name = generated[file.lastPathComponent.lowercased()] else { continue }
      throw SameFileName(
        description: """
          \(file.path): GraphQLGenerator generates a file of this name for \(self.name), \(name), and a module \
          cannot have two. Rename the file, \(wayOut).
          """)
    }
  }
}

extension ModuleSource {
  /// The commands for the schema of a target, if it has one, and for its documents, if there are any.
  ///
  /// They are separate, so that an edit of a document does not generate the schema's types again.
  static func commands(
    for module: DocumentModule, source: ModuleSource?, tool: URL, workFolder: URL
  ) throws -> [Command] {
    let documents = try DocumentSet(module, source: source)
    if let documents { try source?.configuration.checkUsage(of: documents.documents) }
    try module.checkFileNames(
      source?.configuration.fileNames ?? [],
      wayOut: "or set another \"namespace\" in \(ConfigurationFile.name)")
    try module.checkFileNames(
      documents?.outputNames ?? [],
      wayOut: "the document, or the \"namespace\" of \"operations\" in \(ConfigurationFile.name)")
    if documents == nil, source == nil {
      // The target may have had documents before, or will have some.
      if module.hasSchemaModule {
        Diagnostics.warning(
          "\(module.name) has no GraphQL documents, so GraphQLGenerator generates nothing for it.")
        return []
      }
      // Throws the error about the schema.
      _ = try ModuleSource(folder: module.folder)
    }
    return [
      source?.command(target: module.name, tool: tool, workFolder: workFolder),
      documents?.command(target: module.name, tool: tool, workFolder: workFolder),
    ].compactMap(\.self)
  }
}
