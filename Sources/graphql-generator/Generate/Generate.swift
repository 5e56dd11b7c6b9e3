#if !ONE_MODULE
  import GraphJSON
  import GraphQLCodeGen
  import GraphQLSchema
#endif

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

struct GenerateOptions: Equatable {
  enum Mode: Equatable {
    case write
    /// Lists differences and fails if there are any.
    case check
    /// Lists the changes without making them.
    case dryRun
  }

  /// Empty: the value in the configuration.
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  /// nil: the value in the configuration.
  var output: String?
  /// nil: the value in the configuration.
  var namespace: String?
  /// Empty: the names that follow from the configuration.
  var fileNames: [String] = []
  /// The files that the configuration named when a build was planned; nil outside of plugins. See
  /// `ConfigurationFile.checkPlan`.
  var planned: String?
  var mode = Mode.write
  var documents = DocumentOptions()
  /// Whether only documents are generated, and not the types of the schema.
  var isDocumentsOnly = false
  /// The name of the generated module; nil if it is not known.
  var module: String?
  /// The module with the types of the schema; nil if it is that of the documents.
  var schemaModule: String?
  /// The documents that their configuration named when a build was planned; nil outside of plugins.
  var plannedDocuments: String?
  /// nil: the value in the configuration, or none.
  var manifest: String?
  var manifestFormat: OperationOptions.ManifestFormat?
  /// Whether to list the elements that pruning left out.
  var listsDropped = false
  var isQuiet = false
  /// Which violations of the specification are errors.
  var rules = SchemaRules.client
}

/// Executable documents, and where the fragments and options for them are.
struct DocumentOptions: Equatable {
  /// Files and folders; empty: the value in the configuration.
  var paths: [String] = []
  /// Documents of other modules.
  var imported: [ImportedDocument] = []
  /// The configurations of these modules, if they are in the same package.
  var importedConfigs: [ImportedDocument] = []
  /// The configurations of those in other packages.
  var otherPackageConfigs: [ImportedDocument] = []
  /// The configuration of the documents; nil: that of the schema.
  var config: String?
  /// Whether other modules may use the fragments.
  var exportsFragments = false
  /// Folders with Swift sources that may use what the documents select.
  var sources: [String] = []
}

/// A document of another module, `ShopUI=Card.graphql`, or `ShopUI.Shop=Card.graphql` if the types of the
/// other module are in the enum `Shop`.
struct ImportedDocument: Equatable {
  let module: String
  /// nil: at the top level.
  let namespace: String?
  let path: String
  /// That of the module's types, from its configuration.
  var access = Configuration.AccessLevel.public

  /// nil if the text has another form.
  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let names = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= 2, names.allSatisfy(Identifier.isModule) else { return nil }
    module = names[0]
    namespace = names.count == 2 ? names[1] : nil
    path = parts[1]
  }
}

extension GenerateOptions {
  /// The options of the command line, in the order in which help shows them.
  static let options: [Option] =
    [
      .schema, .config, .output, .namespace, .documents, .imported, .importedConfig,
      .otherPackageConfig, .module, .schemaModule, .documentsOnly, .documentConfig,
      .exportedFragments, .sources, .manifest, .manifestFormat, .fileNames, .planned,
      .plannedDocuments, .listDropped, .check, .dryRun, .quiet, .strict, .allowUndefinedTypes,
    ]

  static let summary = "Write a Swift module for a schema and for documents."

  /// The help text below the summary.
  static let discussion =
    """
    Without --schema, the configuration specifies the schema; the default is schema.json next to
    it. Files whose contents do not change are not written. Files in the output folder that an
    earlier run generated and that are no longer needed are removed; other files are not changed.
    If there is an error in the schema, nothing is written.

    Each document becomes a file, Cart.graphql.swift for Cart.graphql, in the same folder as the
    types of the schema. Without --documents, the configuration may specify documents. Nothing is
    generated from a document with errors. --manifest also writes the manifest of all operations.
    """

  init(_ values: OptionValues) throws(UsageError) {
    try values.exclude(.check, .dryRun)
    try values.exclude(.schemaModule, .namespace)
    self.init(
      schema: values.all(.schema), config: values.first(.config), output: values.first(.output),
      namespace: values.first(.namespace), fileNames: values.all(.fileNames),
      planned: values.first(.planned),
      mode: values.has(.check) ? .check : values.has(.dryRun) ? .dryRun : .write,
      documents: try values.documents(),
      isDocumentsOnly: values.has(.documentsOnly) || values.has(.schemaModule),
      module: values.first(.module), schemaModule: values.first(.schemaModule),
      plannedDocuments: values.first(.plannedDocuments),
      manifest: values.first(.manifest), manifestFormat: try values.manifestFormat(),
      listsDropped: values.has(.listDropped), isQuiet: values.has(.quiet),
      rules: values.rules)
  }
}

/// A generated file before it is written to disk.
struct OutputFile: Equatable {
  let name: String
  let bytes: [UInt8]
}

/// The folder of the generated files.
struct OutputFolder {
  let path: String
  let files: FileAccess

  /// The changes after which the folder has exactly these generated files.
  func changes(for generated: [OutputFile]) throws(FileError) -> OutputChanges {
    // The listing, not the file system, determines whether a file exists: if letter case is
    // ignored, a file whose name differs only in case is a stale one.
    let existing = Set(try files.names(in: path))
    var changes = OutputChanges()
    for file in generated {
      let path = Path.join(path, file.name)
      guard existing.contains(file.name) else {
        changes.missing.append(file)
        continue
      }
      guard files.kind(of: path) != .other else { throw .isNoFile(path: path) }
      guard try files.read(path) != file.bytes else {
        changes.unchanged.append(file.name)
        continue
      }
      guard files.file(path, beginsWith: GeneratedFile.header) else {
        throw .foreign(path: path)
      }
      changes.different.append(file)
    }
    let needed = Set(generated.map(\.name))
    changes.stale = existing.subtracting(needed).sorted().filter { name in
      name.hasSuffix(".swift")
        && files.file(Path.join(path, name), beginsWith: GeneratedFile.header)
    }
    return changes
  }

  /// Makes the changes.
  func apply(_ changes: OutputChanges) throws(FileError) {
    guard !changes.isEmpty else { return }
    try files.replace(changes.missing + changes.different, removing: changes.stale, in: path)
  }
}

/// The difference between an output folder and its expected contents.
struct OutputChanges: Equatable {
  /// Files that do not exist.
  var missing: [OutputFile] = []
  /// Files with other contents.
  var different: [OutputFile] = []
  /// Names of the unchanged files.
  var unchanged: [String] = []
  /// Names of generated files that are no longer needed.
  var stale: [String] = []

  var isEmpty: Bool { missing.isEmpty && different.isEmpty && stale.isEmpty }
}

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

/// A manifest of trusted documents: the operations that a service accepts from an app.
struct ManifestFile {
  /// The name of a manifest next to generated files.
  static let name = "operations.json"

  /// An operation of a manifest.
  struct Operation: Equatable {
    let id: String
    /// nil in Relay's format.
    let name: String?
    /// nil in Relay's format.
    let type: String?
    let text: String
    /// The position of the text in the manifest.
    let position: SourcePosition

    /// Whether the id has the form of a hash, as all ids that the tool writes.
    fileprivate var hasHash: Bool { id.utf8.count == 64 && id.allSatisfy(\.isHexDigit) }
  }

  /// The bytes of a manifest, in the order of the operations.
  static func bytes(
    _ operations: [PrintedOperation], format: OperationOptions.ManifestFormat
  ) -> [UInt8] {
    switch format {
    case .apollo:
      return ApolloManifest.bytes(
        operations.map {
          ApolloManifest.Operation(id: $0.hash, name: $0.name, kind: $0.kind, text: $0.text)
        })
    case .relay:
      var writer = JSONWriter(style: .indented(by: 2))
      writer.beginObject()
      for operation in operations {
        writer.key(operation.hash)
        writer.string(operation.text)
      }
      writer.endObject()
      return writer.finish() + [UInt8(ascii: "\n")]
    }
  }

  /// Whether the bytes of a file are a manifest. Any object with strings has the form of Relay's map, so the ids have to
  /// be hashes.
  static func isManifest(_ bytes: [UInt8]) -> Bool {
    let operations = try? operations(in: Source(name: name, bytes: bytes))
    return operations?.allSatisfy(\.hasHash) == true
  }

  /// The operations of a manifest in either format.
  static func operations(in source: Source) throws(Diagnostics) -> [Operation] {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: source.bytesOfJSON)
    } catch {
      throw problem(error.message, at: source.position(from: error.offset, to: error.offset + 1))
    }
    let root = document.root
    if let key = root.repeatedKeys.first {
      throw problem(
        "The manifest has \(quoted(key.string ?? "")) twice.", at: position(of: key, in: source))
    }
    // Relay's ids are hashes.
    if let format = root["format"] { return try apolloOperations(format, in: root, source) }
    var operations: [Operation] = []
    for member in root.members ?? [] {
      guard let text = member.value.string else {
        operations = []
        break
      }
      operations.append(
        Operation(
          id: member.key, name: nil, type: nil, text: text,
          position: position(of: member.value, in: source)))
    }
    if !operations.isEmpty || root.members?.isEmpty == true { return operations }
    throw problem(
      "This is neither a manifest of Apollo nor a map of Relay from ids to documents.",
      at: position(of: root, in: source))
  }

  private static func apolloOperations(
    _ format: JSONNode, in root: JSONNode, _ source: Source
  ) throws(Diagnostics) -> [Operation] {
    guard format.string == ApolloManifest.format else {
      throw problem(
        "The format of a manifest is \(quoted(ApolloManifest.format)), or it is a map of Relay.",
        at: position(of: format, in: source))
    }
    guard root["version"]?.int == ApolloManifest.version else {
      throw problem(
        "The version of the manifest has to be \(ApolloManifest.version).",
        at: position(of: root["version"] ?? root, in: source))
    }
    guard let elements = root["operations"]?.array else {
      throw problem(
        "The manifest has no list of operations.",
        at: position(of: root["operations"] ?? root, in: source))
    }
    var operations: [Operation] = []
    for element in elements {
      guard let id = element["id"]?.string, let body = element["body"], let text = body.string
      else {
        throw problem("An operation needs an id and a body.", at: position(of: element, in: source))
      }
      operations.append(
        Operation(
          id: id, name: element["name"]?.string, type: element["type"]?.string, text: text,
          position: position(of: body, in: source)))
    }
    try checkUnique(operations)
    return operations
  }

  /// Throws if one id has two texts: which one a service knows is not certain.
  private static func checkUnique(_ operations: [Operation]) throws(Diagnostics) {
    var texts: [String: String] = [:]
    for operation in operations {
      if let text = texts.updateValue(operation.text, forKey: operation.id), text != operation.text
      {
        throw problem(
          "The manifest has another text for the id \(quoted(operation.id)).",
          at: operation.position)
      }
    }
  }

  private static func position(of node: JSONNode, in source: Source) -> SourcePosition {
    let range = node.document.sourceRange(at: node.index)
    return source.position(from: range.lowerBound, to: range.upperBound)
  }

  private static func problem(_ message: String, at position: SourcePosition) -> Diagnostics {
    Diagnostics([Diagnostic(code: "manifest", message: message, at: position)])
  }
}
