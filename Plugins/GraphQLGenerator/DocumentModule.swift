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
