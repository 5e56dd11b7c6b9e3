import GraphQLCodeGen
import GraphQLSchema

/// `check`: reports all errors and warnings in documents, or in the operations of a manifest.
struct Check {
  let options: CheckOptions
  let files: FileAccess
  let console: Console

  func run() throws -> ExitStatus {
    var configurationFile = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files)
    let schemaPaths = try configurationFile.schemaPaths(options.schema, files)
    let schemaFiles = try SchemaFiles(paths: schemaPaths, files: files)
    let progress = Progress(console: console, inputSize: schemaFiles.byteCount)
    let schema = try progress.during("Reading the schema") {
      try schemaFiles.schema(configurationFile.rules(options.rules))
    }
    if let path = options.manifest { return try check(manifest: path, against: schema) }

    let imported = try options.documents.usableImports(
      schemaAccess: configurationFile.configuration.access, files)
    if let path = options.documents.config {
      try configurationFile.takeDocumentOptions(
        of: try ConfigurationFile(named: path, beside: nil, namespace: nil, files: files))
    }
    let documents = try DocumentFiles(
      paths: documentPaths(configurationFile), imported: imported,
      schemas: schemaPaths, files: files)
    try documents.checkKinds()
    let generated = try GeneratedDocuments(
      of: documents, schema: schema, module: nil, schemaModule: nil,
      containsSchema: false,
      configuration: configurationFile.configuration,
      exportsFragments: options.documents.exportsFragments,
      named: NamedTypes(folders: options.documents.sources, files: files), fileNames: [])
    var findings = generated.findings
    if !options.documents.sources.isEmpty {
      let reads = try MemberReads(
        sources: UsageSources(folders: options.documents.sources, files: files))
      let unread = UnreadFields(
        documents, schema: schema, configuration: configurationFile.configuration)
      findings += unread.findings(reads).map(\.withCode)
    }
    for finding in findings { console.report(finding) }
    if options.prints {
      for operation in generated.output.operations {
        try console.write("# \(operation.name) \(operation.hash)\n\(operation.text)\n")
      }
    } else {
      try console.write(summary(generated.output.operations.count, in: documents, findings))
    }
    return generated.hasErrors ? .problems : .success
  }

  private func documentPaths(_ configuration: ConfigurationFile) throws -> [String] {
    if !options.documents.paths.isEmpty { return options.documents.paths }
    let paths = try configuration.documentPaths(files)
    return paths.isEmpty ? [configuration.documentFolder] : paths
  }

  /// `3 operations in 4 documents, 0 errors, 1 warning`.
  private func summary(
    _ operations: Int, in documents: DocumentFiles, _ findings: [Diagnostic]
  ) -> String {
    "\(counted(operations, "operation")) in \(counted(documents.sources.count, "document")), "
      + count(findings)
  }

  private func count(_ findings: [Diagnostic]) -> String {
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    return "\(counted(errors, "error")), \(counted(warnings, "warning"))"
  }

  /// Each operation of a manifest is a whole document.
  private func check(
    manifest path: String, against schema: ServiceSchema
  ) throws -> ExitStatus {
    let source = Source(name: path, bytes: try files.read(path))
    let operations = try ManifestFile.operations(in: source)
    var findings: [Diagnostic] = []
    for operation in operations {
      for problem in problems(of: operation, schema) {
        var problem = problem
        problem.message = "\(operation.name ?? operation.id): \(problem.message)"
        problem.position = operation.position
        problem.notes = []
        findings.append(problem)
      }
      if options.prints {
        try console.write("# \(operation.name ?? "") \(operation.id)\n\(operation.text)\n")
      }
    }
    for finding in findings { console.report(finding) }
    if !options.prints {
      try console.write("\(counted(operations.count, "operation")), \(count(findings))")
    }
    return findings.contains { $0.severity == .error } ? .problems : .success
  }

  private func problems(
    of operation: ManifestFile.Operation, _ schema: ServiceSchema
  ) -> [Diagnostic] {
    let source = Source(name: operation.id, text: operation.text)
    do throws(Diagnostics) {
      let document = try Document(parsing: source)
      if let contradiction = operation.contradiction(in: document) {
        return [Diagnostic(code: "manifest", message: contradiction, at: operation.position)]
      }
      let problems = document.validate(against: schema)
      if !problems.isEmpty { return problems }
      let linter = DocumentLinter([source], schema: schema, reports: [.deprecations])
      return linter.findings().map(\.withCode)
    } catch {
      return error.elements
    }
  }
}
