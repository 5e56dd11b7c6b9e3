import GraphQLCodeGen
import GraphQLSchema

/// `generate`: from a schema and a configuration to the files of a Swift module.
struct Generate {
  let options: GenerateOptions
  let files: FileAccess
  let console: Console

  /// Reads and generates everything before it accesses the output folder.
  ///
  /// - Parameter keep: Keeps large values, so that they are not freed before the process ends.
  func run(keeping keep: (any Sendable) -> Void = { _ in }) throws -> ExitStatus {
    var configurationFile = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: options.namespace,
      files: files)
    if let planned = options.planned { try configurationFile.checkPlan(planned) }
    if !options.fileNames.isEmpty, !options.isDocumentsOnly {
      try configurationFile.layOut(inFiles: options.fileNames)
    }
    if options.schemaModule != nil { try configurationFile.checkAccessOfOtherModules() }
    let documentFile = try documentConfiguration(configurationFile)
    let schemaPaths = try configurationFile.schemaPaths(options.schema, files)
    if let planned = options.plannedDocuments {
      try documentFile.checkDocumentPlan(planned)
      try documentFile.checkDocumentFolders(
        planned: options.documents.paths, schemas: schemaPaths, files: files)
    }
    let schemaFiles = try SchemaFiles(paths: schemaPaths, files: files)
    // Without a plan, the schema's own errors are better.
    if !options.fileNames.isEmpty { try schemaFiles.checkKinds() }
    let imported = try options.documents.usableImports(
      schemaAccess: configurationFile.configuration.access, files)
    let documents = try DocumentFiles(
      paths: documentPaths(documentFile), imported: imported,
      schemas: schemaPaths, files: files)
    try documents.checkKinds()
    if documents.isEmpty, let path = options.manifest {
      throw Diagnostics([
        Diagnostic(
          code: "documents", message: "There are no documents for the manifest \(quoted(path)).",
          suggestion: "Name their files or folders with --documents, or in the configuration.")
      ])
    }

    let progress = Progress(
      console: console, inputSize: schemaFiles.byteCount, isQuiet: options.isQuiet)
    let schema = try progress.during("Reading the schema") { () throws(Diagnostics) in
      do throws(Diagnostics) {
        return try schemaFiles.schema(configurationFile.rules(options.rules))
      } catch {
        // Its warnings are for the service, and could be hundreds.
        throw Diagnostics(error.errors)
      }
    }
    keep(schema)
    var outputs: [OutputFile] = []
    if !options.isDocumentsOnly {
      let configuration = configurationFile.configuration
      let usage = try configurationFile.usage(files)
      let documentUses = try configurationFile.documentUses(schema, files)
      let output = try progress.during("Generating \(configuration.namespace)") {
        try GeneratorPipeline(configuration: configuration).run(
          schema, usage: usage, documents: documentUses)
      }
      keep(output)
      report(output.diagnostics + warnings(about: schema))
      if let pruning = output.pruning { try report(pruning) }
      outputs = outputFiles(output.files)
    }
    let folder = OutputFolder(path: options.output ?? configurationFile.outputPath, files: files)
    var manifest: (path: String, bytes: [UInt8])?
    var hasErrors = false
    if !documents.isEmpty {
      try configurationFile.takeDocumentOptions(of: documentFile)
      let generated = try GeneratedDocuments(
        of: documents, schema: schema, module: options.module, schemaModule: options.schemaModule,
        configuration: configurationFile.configuration,
        exportsFragments: options.documents.exportsFragments,
        named: NamedTypes(folders: options.documents.sources, files: files),
        fileNames: options.isDocumentsOnly ? options.fileNames : [])
      keep(generated.output)
      // Their notes are reported by `check`.
      report(generated.findings.filter { $0.severity != .note || $0.code == "tooMany" })
      hasErrors = generated.hasErrors
      outputs += generated.files
      if !hasErrors { manifest = self.manifest(generated, documentFile, in: folder) }
    }

    let staleManifest = try manifest.flatMap { try changed($0, outputs, in: folder) }
    var changes = try folder.changes(for: outputs)
    let generatesDocuments = !documents.isEmpty || options.plannedDocuments != nil
    if manifest == nil, generatesDocuments, !hasErrors, try hasManifest(folder) {
      changes.stale.append(ManifestFile.name)
    }
    let status = try finish(changes, in: folder, staleManifest)
    return hasErrors ? .problems : status
  }

  /// The configuration of the documents: another one than that of the schema, if it is named. Without
  /// one, the options for documents of another module do not apply.
  private func documentConfiguration(_ file: ConfigurationFile) throws -> ConfigurationFile {
    guard let path = options.documents.config else {
      return options.schemaModule == nil ? file : file.withoutDocumentOptions
    }
    return try ConfigurationFile(named: path, beside: nil, namespace: nil, files: files)
  }

  /// A plugin passes documents, also those of the configuration, to one command only.
  private func documentPaths(_ configuration: ConfigurationFile) throws -> [String] {
    if !options.documents.paths.isEmpty { return options.documents.paths }
    return options.fileNames.isEmpty ? try configuration.documentPaths(files) : []
  }

  private func manifest(
    _ generated: GeneratedDocuments, _ configuration: ConfigurationFile, in folder: OutputFolder
  ) -> (path: String, bytes: [UInt8])? {
    let configured = configuration.configuration.operations.manifest
    guard options.manifest != nil || options.manifestFormat != nil || configured != nil else {
      return nil
    }
    return (
      options.manifest ?? Path.join(folder.path, ManifestFile.name),
      ManifestFile.bytes(
        generated.output.operations, format: options.manifestFormat ?? configured ?? .apollo)
    )
  }

  /// The manifest; nil if the file has its contents, since its time then stays the same. Throws if it would replace
  /// something else than a manifest: a path may be a mistake.
  private func changed(
    _ manifest: (path: String, bytes: [UInt8]), _ outputs: [OutputFile], in folder: OutputFolder
  ) throws -> (path: String, bytes: [UInt8])? {
    let path = manifest.path
    let place = files.absolute(path)
    if outputs.contains(where: { files.absolute(Path.join(folder.path, $0.name)) == place }) {
      throw FileError.isNoManifest(path: path)
    }
    guard files.kind(of: path) == .file else { return manifest }
    let bytes = try files.read(path)
    if bytes == manifest.bytes { return nil }
    guard bytes.isEmpty || ManifestFile.isManifest(bytes) else {
      throw FileError.isNoManifest(path: path)
    }
    return manifest
  }

  /// Whether there is a manifest that an earlier configuration had requested: nothing would update it.
  private func hasManifest(_ folder: OutputFolder) throws -> Bool {
    let path = Path.join(folder.path, ManifestFile.name)
    guard files.kind(of: path) == .file else { return false }
    return ManifestFile.isManifest(try files.read(path))
  }

  private func finish(
    _ changes: OutputChanges, in folder: OutputFolder,
    _ staleManifest: (path: String, bytes: [UInt8])?
  ) throws -> ExitStatus {
    switch options.mode {
    case .write:
      let status = try write(changes, to: folder)
      if let staleManifest { try files.write(staleManifest.bytes, to: staleManifest.path) }
      return status
    case .dryRun:
      if let staleManifest { try console.write("write: \(staleManifest.path)") }
      return try announce(changes, in: folder)
    case .check:
      if let path = staleManifest?.path {
        try console.write("\(files.kind(of: path) == .nothing ? "missing" : "differs"): \(path)")
      }
      return try check(changes, in: folder, isComplete: staleManifest == nil)
    }
  }

  /// The warnings about parts that the module lacks are listed. A user cannot correct the schema of
  /// another's service, so other warnings are only counted, without the types that the user allowed
  /// to be undefined.
  private func warnings(about schema: ServiceSchema) -> [Diagnostic] {
    let missing = schema.warnings.filter { $0.code == "UnknownKind" }
    let count = schema.warningCounts.reduce(0) { count, warnings in
      ["UnknownKind", "UndefinedTypes"].contains(warnings.key) ? count : count + warnings.value
    }
    guard count > 0 else { return missing }
    let places = count == 1 ? "one place" : "\(count) places"
    return missing + [
      Diagnostic(
        severity: .note, code: "schemaWarnings",
        message:
          "The schema violates the specification in \(places), which only concerns the service.",
        suggestion: "`graphql-generator validate` lists them.")
    ]
  }

  /// The files with their final names.
  private func outputFiles(_ files: [GeneratedFile]) -> [OutputFile] {
    let names = options.fileNames.isEmpty ? files.map(\.name) : options.fileNames
    return zip(names, files).map { OutputFile(name: $0, bytes: $1.bytes) }
  }

  /// Warnings always, notes unless the run is quiet.
  private func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics where !options.isQuiet || diagnostic.severity != .note {
      console.report(diagnostic)
    }
  }

  /// The result of pruning, and each dropped field if the user requests it.
  private func report(_ pruning: PruningReport) throws {
    try printLine(pruning.summary)
    guard options.listsDropped else { return }
    for type in pruning.droppedTypes { try console.write("dropped: \(type)") }
    for field in pruning.droppedFields { try console.write("dropped: \(field)") }
  }

  private func write(_ changes: OutputChanges, to folder: OutputFolder) throws -> ExitStatus {
    try folder.apply(changes)
    try printLine("\(changes.summary) in \(folder.path)")
    return .success
  }

  private func announce(_ changes: OutputChanges, in folder: OutputFolder) throws -> ExitStatus {
    try list(changes, in: folder, missing: "write", different: "rewrite", stale: "remove")
    try printLine("\(changes.summary) in \(folder.path) (dry run, nothing was done)")
    return .success
  }

  private func check(
    _ changes: OutputChanges, in folder: OutputFolder, isComplete: Bool
  ) throws -> ExitStatus {
    guard !changes.isEmpty || !isComplete else {
      try printLine("\(folder.path) is up to date")
      return .success
    }
    try list(changes, in: folder, missing: "missing", different: "differs", stale: "stale")
    console.report(
      Diagnostic(
        code: "outOfDate", message: "\(folder.path) is out of date.",
        suggestion: "Run `generate` without --check."))
    return .problems
  }

  private func list(
    _ changes: OutputChanges, in folder: OutputFolder, missing: String, different: String,
    stale: String
  ) throws {
    let lines =
      changes.missing.map { ($0.name, missing) }
      + changes.different.map { ($0.name, different) }
      + changes.stale.map { ($0, stale) }
    for (name, label) in lines.sorted(by: <) {
      try console.write("\(label): \(Path.join(folder.path, name))")
    }
  }

  private func printLine(_ line: String) throws {
    if !options.isQuiet { try console.write(line) }
  }
}

extension OutputChanges {
  /// `3 written, 5 unchanged, 1 removed`.
  fileprivate var summary: String {
    let written = missing.count + different.count
    return "\(written) written, \(unchanged.count) unchanged, \(stale.count) removed"
  }
}
