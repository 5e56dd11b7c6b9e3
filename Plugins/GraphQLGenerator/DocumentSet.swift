import Foundation
import PackagePlugin

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
