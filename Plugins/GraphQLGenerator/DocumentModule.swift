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
  let schema: () -> ModuleSource?
  /// Whether another target may use the module, and its fragments.
  var isUsed = false
  /// Made on demand, since few of a package's targets are needed.
  let dependencies: () -> [DocumentModule]

  /// The `*.graphql` files of the target with operations and fragments, by path. `DocumentSet` has all
  /// documents of the module.
  var documents: [URL] {
    files.filter(GraphQLFile.isDocument).sorted { $0.path < $1.path }
  }

  /// The schema in one of the folders of a dependency, which need not be one of this plugin.
  static func schema(in folders: [URL]) -> ModuleSource? {
    for folder in folders {
      let schemas = try? ModuleSource.schemas(in: folder).filter { file in
        guard file.pathExtension == "json" else { return true }
        // A `schema.json` could be anything there.
        let text = try Data(contentsOf: file, options: .mappedIfSafe).prefix(4096)
        return text.range(of: Data("__schema".utf8)) != nil
      }
      if let schemas, let source = try? ModuleSource(folder: folder, schemas: schemas) {
        return source
      }
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
  private func nearestSchemas(named name: String?) -> [SchemaModule] {
    for level in levels {
      let found = level.compactMap { module in
        name == nil || module.name == name
          ? module.schema().map { SchemaModule(name: module.name, source: $0) } : nil
      }
      if !found.isEmpty { return found.sorted { $0.name < $1.name } }
    }
    return []
  }

  /// Whether one of the used modules has a schema.
  var hasSchemaModule: Bool { !nearestSchemas(named: nil).isEmpty }

  /// The module for whose schema the documents are.
  ///
  /// - Parameter configuration: may name the module.
  func schemaModule(_ configuration: ConfigurationFile) throws -> SchemaModule {
    let found = nearestSchemas(named: configuration.schemaModule)
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
    schema = {
      let command = package.flatMap { Self.commandFolder(of: target, in: $0) }
      return Self.schema(in: [target.directoryURL] + (command.map { [$0] } ?? []))
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
    guard let configuration = try? ConfigurationFile(in: owner.directoryURL) else { return nil }
    let output = configuration.output.standardizedFileURL.path
    let isWritten = output == target.directoryURL.standardizedFileURL.path
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
