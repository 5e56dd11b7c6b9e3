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
  /// its own build reports it.
  private var imported: [(name: String, documents: [URL])] {
    module.used.compactMap { module in
      guard let set = try? DocumentSet(module, source: module.schema()),
        set.schema.inputs == schema.inputs, !set.configuration.isInternal
      else { return nil }
      let namespace = set.configuration.documentNamespace.map { ".\($0)" } ?? ""
      return (module.name + namespace, set.documents)
    }
    .sorted { $0.name < $1.name }
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
    for (name, documents) in imported {
      for file in documents { arguments += ["--imported", "\(name)=\(file.path)"] }
    }
    arguments += ["--documents"] + documents.map(\.path) + ["--file-names"] + names
    return .buildCommand(
      displayName: "Generating GraphQL documents of \(target)", executable: tool,
      arguments: GeneratorTool.arguments("generate", arguments), inputFiles: inputs,
      outputFiles: names.map { output.appending(path: $0) })
  }

  /// The files that the tool writes: that of the namespace, if there is one, and one for each
  /// document. Swift needs different names in a module, whatever the folders are.
  private var outputNames: [String] {
    (configuration.documentNamespace.map { [DocumentFileNames.name(forNamespace: $0)] } ?? [])
      + DocumentFileNames.names(for: documents.map(\.path))
  }
}
