import GraphQLCodeGen
import GraphQLSchema

/// The files generated from documents. Each document has one, also if it has errors, since a build has
/// declared it.
struct GeneratedDocuments {
  let files: [OutputFile]
  let output: OperationsPipeline.Output

  /// - Parameters:
  ///   - module: the name of the module; nil if it is not known.
  ///   - schemaModule: the module with the types of the schema; nil if it is that of the documents, or is not known.
  ///   - containsSchema: whether it is that of the documents, if `schemaModule` is nil.
  ///   - configuration: its namespace is that of the types of the schema.
  ///   - exportsFragments: whether other modules may use fragments that these documents do not use.
  ///   - named: the types that the module's Swift sources name.
  ///   - fileNames: other names for the files; empty: those of the pipeline.
  init(
    of documents: DocumentFiles, schema: ServiceSchema, module: String?, schemaModule: String?,
    containsSchema: Bool = true,
    configuration: Configuration, exportsFragments: Bool, named: NamedTypes,
    fileNames: [String]
  ) throws(Diagnostics) {
    let pipeline = OperationsPipeline(configuration: configuration)
    let names = pipeline.fileNames(for: documents.sources.map(\.name))
    guard fileNames.isEmpty || fileNames.count == names.count else {
      throw Diagnostics([
        Diagnostic(
          code: "layout",
          message: "--file-names requires \(names.count) file names for these documents.")
      ])
    }
    output = pipeline.run(
      schema, documents: documents.sources, imported: documents.imported,
      module: module, schemaModule: schemaModule, containsSchema: containsSchema,
      exportsFragments: exportsFragments,
      isNamed: named.contains)
    let generated = Dictionary(
      output.files.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    files = zip(names, fileNames.isEmpty ? names : fileNames).map { name, fileName in
      OutputFile(name: fileName, bytes: generated[name] ?? Self.placeholder)
    }
  }

  /// The findings as they are shown: warnings and notes have their codes, by which the documentation
  /// explains them.
  var findings: [Diagnostic] { output.diagnostics.map(\.withCode) }

  var hasErrors: Bool { output.diagnostics.contains { $0.severity == .error } }

  private static var placeholder: [UInt8] {
    Array("\(GeneratedFile.header)\n\n// The document has errors.\n".utf8)
  }
}

extension Diagnostic {
  /// The diagnostic with its code at the end of the message, unless it is an error.
  var withCode: Diagnostic {
    guard severity != .error, code != "tooMany" else { return self }
    var diagnostic = self
    diagnostic.message += " [\(code)]"
    return diagnostic
  }
}
