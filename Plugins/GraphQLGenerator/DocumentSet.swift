import Foundation
import PackagePlugin

/// The documents of a target, and the command that generates their code.
struct DocumentSet {
  let documents: [URL]
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
    var known = Set((source?.inputs ?? []).map(\.standardizedFileURL.path))
    documents = (module.documents + named).filter { file in
      known.insert(file.standardizedFileURL.path).inserted
    }
    if documents.isEmpty { return nil }
    self.module = module
    self.configuration = configuration
    if let source, configuration.schemaModule == nil {
      (schema, schemaModule) = (source, nil)
    } else {
      let module = try module.schemaModule(configuration)
      (schema, schemaModule) = (module.source, module.name)
    }
  }

  /// One command for all documents: reading the schema takes much longer than generating a document,
  /// fragments are used by other documents, and files that stay the same are not compiled again.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - workFolder: where the plugin may write.
  func command(target: String, tool: URL, workFolder: URL) -> Command {
    let output = workFolder.appending(path: "Documents")
    let imported = module.imported(for: schema)
    let names = outputNames
    var arguments = ["--quiet", "--documents-only", "--output", output.path] + schema.arguments
    if let schemaModule { arguments += ["--schema-module", schemaModule] }
    var inputs = schema.inputs + documents + imported.flatMap(\.files)
    if let url = configuration.url, url != schema.configuration.url {
      arguments += ["--document-config", url.path]
      inputs.append(url)
    }
    if module.isUsed { arguments.append("--exported-fragments") }
    arguments += ["--planned-documents", configuration.plannedDocuments]
    for (name, files) in imported {
      for file in files { arguments += ["--imported", "\(name)=\(file.path)"] }
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
