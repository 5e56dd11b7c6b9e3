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

struct CheckOptions: Equatable {
  /// Empty: the value in the configuration.
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  var documents = DocumentOptions()
  var prints = false
  /// A manifest to check instead of documents.
  var manifest: String?
  var rules = SchemaRules.client
}

extension CheckOptions {
  init(_ values: OptionValues) throws(UsageError) {
    try values.exclude(.manifest, .documents)
    try values.exclude(.manifest, .sources)
    self.init(
      schema: values.all(.schema), config: values.first(.config),
      documents: try values.documents(), prints: values.has(.print),
      manifest: values.first(.manifest), rules: values.rules)
  }
}

/// Fields that documents select and that no Swift source reads. They are found by name.
struct UnreadFields {
  private let documents: [(source: Source, document: Document)]
  private let schema: ServiceSchema
  /// The names in Swift, which are those of the generator.
  private let properties: SelectedProperties
  /// Fields that identify objects, as `Type.field`: the store reads them.
  private let keys: Set<String>

  /// Documents with errors are left out.
  init(_ documents: DocumentFiles, schema: ServiceSchema, configuration: Configuration) {
    self.documents = documents.sources.compactMap { source in
      (try? Document(parsing: source)).map { (source, $0) }
    }
    self.schema = schema
    properties = OperationsPipeline(configuration: configuration).properties(
      schema, documents: documents.sources, imported: documents.imported)
    keys = Set(
      configuration.types.flatMap { type, policy in
        (policy.value.key ?? []).map { "\(type).\($0)" }
      })
  }

  /// A warning for each field of which no part is read.
  func findings(_ reads: MemberReads) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (source, document) in documents {
      var visitor = Visitor(fields: self, source: source, reads: reads)
      for definition in document.definitions {
        guard let place = SelectedProperties.place(of: definition) else { continue }
        switch definition {
        case .operation(let operation):
          let root = schema.rootType(for: operation.operationType)
          visitor.visit(operation.selectionSet, of: place, on: root.map(NamedType.object))
        case .fragment(let fragment):
          let type = schema.type(named: fragment.typeCondition.name)
          visitor.visit(fragment.selectionSet, of: place, on: type)
        default: continue
        }
      }
      findings += visitor.findings
    }
    return findings
  }

  /// The client reads the information about pages, and the store the keys.
  private func isReadWithoutName(_ field: Document.Field, of type: NamedType) -> Bool {
    field.name.hasPrefix("__") || field.name == "id" || field.name == "pageInfo"
      || type.name == "PageInfo" || keys.contains("\(type.name).\(field.name)")
  }

  private struct Visitor {
    let fields: UnreadFields
    let source: Source
    let reads: MemberReads
    var findings: [Diagnostic] = []

    init(fields: UnreadFields, source: Source, reads: MemberReads) {
      self.fields = fields
      self.source = source
      self.reads = reads
    }

    // The parser limits the nesting.
    mutating func visit(
      _ selectionSet: Document.SelectionSet, of place: SelectedProperties.Place,
      on parent: NamedType?
    ) {
      guard let parent else { return }
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field): visit(field, of: place, on: parent)
        case .inlineFragment(let fragment):
          let condition = fragment.typeCondition.flatMap { fields.schema.type(named: $0.name) }
          visit(fragment.selectionSet, of: place, on: condition ?? parent)
        case .fragmentSpread(let spread):
          if let name = unread(place.fragment(spread.name)) {
            report("the fragment \(quoted(spread.name))", name, at: spread.nameRange)
          }
        }
      }
    }

    private mutating func visit(
      _ field: Document.Field, of place: SelectedProperties.Place, on parent: NamedType
    ) {
      guard !fields.isReadWithoutName(field, of: parent) else { return }
      if let name = unread(place.field(field.responseName)) {
        return report(quoted("\(parent.name).\(field.name)"), name, at: field.nameRange)
      }
      guard let selectionSet = field.selectionSet else { return }
      let type = parent.fields?[field.name].flatMap { fields.schema.namedType(of: $0.type) }
      visit(selectionSet, of: place.inside(field.responseName), on: type)
    }

    /// The property of a selection if no source reads it; nil also if there is none.
    private func unread(_ place: SelectedProperties.Place) -> String? {
      let names = fields.properties[place]
      return names.contains(where: reads.contains) ? nil : names.min()
    }

    private mutating func report(_ what: String, _ name: String, at range: SourceRange) {
      findings.append(
        Diagnostic(
          severity: .warning, code: "UnreadField",
          message: "This selects \(what), and no source reads \(quoted(".\(name)")).",
          at: source.position(from: Int(range.start), to: Int(range.end))))
    }
  }
}

/// The names that Swift sources read as members, after a full stop: `.title`, `\.title`.
struct MemberReads {
  private var names: Set<String> = []

  init(sources: UsageSources) throws {
    var names: Set<String> = []
    try sources.forEach { _, contents in
      var isMember = false
      for token in SwiftScanner.tokens(of: contents) {
        if isMember { names.insert(token.text) }
        isMember = token.text == "."
      }
    }
    self.names = names
  }

  func contains(_ name: String) -> Bool { names.contains(name) }
}

extension ManifestFile.Operation {
  /// How the name or the type differs from what the text contains; nil if they are the same.
  func contradiction(in document: Document) -> String? {
    let operation = document.operations.first { name == nil || ($0.name ?? "") == name }
    guard let operation else {
      return name.map { _ in "The text has no operation of that name." }
    }
    guard let type, operation.operationType.rawValue != type else { return nil }
    return
      "The operation is a \(operation.operationType.rawValue), but its type in the manifest is \(quoted(type))."
  }
}
