import GraphJSON
import GraphQLCodeGen
import GraphQLComparison
import GraphQLSchema

/// `diff`: the changes between two versions of a schema, and the Swift code that uses what breaks.
struct Diff {
  let options: DiffOptions
  let files: FileAccess
  let console: Console

  func run() throws -> ExitStatus {
    let configurationFile = try configurationFile(beside: options.old)
    // The folder of either schema may be that of the module, e.g. if the older one is a copy.
    let newConfigurationFile = try self.configurationFile(beside: options.new)
    let rules = newConfigurationFile.rules(configurationFile.rules(options.rules))
    let oldFiles = try schemaFiles(options.old)
    let newFiles = try schemaFiles(options.new)
    let progress = Progress(
      console: console, inputSize: oldFiles.byteCount + newFiles.byteCount,
      isQuiet: options.printsJSON)
    let (old, new) = try progress.during("Reading the schemas") {
      (try oldFiles.schema(rules), try newFiles.schema(rules))
    }
    let changes = new.changes(from: old)
    let uses =
      options.sources.isEmpty ? nil : try uses(of: changes, old, configurationFile.configuration)
    let clientDirectives = [configurationFile, newConfigurationFile]
      .flatMap(\.configuration.clientDirectives)
    let operations = try operations(
      from: old, to: new,
      Configuration(
        types: configurationFile.configuration.types, clientDirectives: clientDirectives))
    let report = DiffReport(changes: changes, uses: uses, operations: operations)
    if options.printsJSON {
      try console.write(report.json)
    } else {
      try console.write(report.text)
    }
    return changes.first?.severity == .breaking ? .problems : .success
  }

  /// A file, or the files of a folder, with the common definitions.
  private func schemaFiles(_ path: String) throws -> SchemaFiles {
    try SchemaFiles(fileOrFolder: path, files: files)
      .adding(SchemaFiles(paths: options.definitions, files: files))
  }

  /// nil if there are no documents to check.
  private func operations(
    from old: ServiceSchema, to new: ServiceSchema, _ configuration: Configuration
  ) throws -> BrokenOperations? {
    guard !options.documents.isEmpty else { return nil }
    let documents = try DocumentFiles(
      paths: options.documents, schemas: [options.old, options.new] + options.definitions,
      files: files)
    try documents.checkKinds()
    return try BrokenOperations(in: documents.sources, from: old, to: new, configuration)
  }

  /// The configuration of a module. That of the older schema determines the names in Swift.
  private func configurationFile(beside path: String) throws -> ConfigurationFile {
    let isFolder = files.kind(of: path) == .folder
    let schema = isFolder ? Path.join(path, "schema") : path
    return try ConfigurationFile(
      named: options.config, beside: schema, namespace: nil, files: files)
  }

  /// The positions that use the elements of breaking changes, in the order of the changes.
  private func uses(
    of changes: [SchemaChange], _ old: ServiceSchema, _ configuration: Configuration
  ) throws -> [[SourceLine]] {
    let sources = try UsageSources(folders: options.sources, files: files)
    let names = GeneratedNames(try GeneratorPipeline(configuration: configuration).plan(old))
    let wanted = changes.prefix { $0.severity == .breaking }.map(names.uses)
    let finder = UseFinder(uses: wanted.reduce(into: []) { $0.formUnion($1) })
    var places = wanted.map { _ in [SourceLine]() }
    try sources.forEach { path, contents in
      let found = finder.lines(in: contents)
      if found.isEmpty { return }
      for (index, uses) in wanted.enumerated() {
        let lines = Set(uses.flatMap { found[$0] ?? [] })
        places[index] += lines.sorted().map { SourceLine(file: path, line: $0) }
      }
    }
    return places
  }
}

/// A line of a source file.
struct SourceLine: Equatable {
  let file: String
  /// 1-based.
  let line: Int

  var json: JSON { ["file": .string(file), "line": JSON(line)] }
}

/// The changes between two schemas, for people and for programs.
struct DiffReport {
  /// Sorted, the breaking ones first.
  let changes: [SchemaChange]
  /// Where Swift uses the elements of breaking changes; nil if this was not requested.
  let uses: [[SourceLine]]?
  /// The operations that the changes break; nil if this was not requested.
  var operations: BrokenOperations?

  /// A paragraph per severity, then the count.
  var text: String {
    var lines: [String] = []
    for severity in SchemaChange.Severity.allCases {
      guard changes.contains(where: { $0.severity == severity }) else { continue }
      lines.append("\(Self.title(severity)) changes:")
      for (index, change) in changes.enumerated() where change.severity == severity {
        lines.append("  \(Self.name(of: change)): \(change.message)")
        lines += places(index).map { "    \($0.file):\($0.line)" }
      }
      lines.append("")
    }
    lines += Self.lines("Broken operations", operations?.broken ?? [])
    lines += Self.lines(
      "Operations that are invalid for the older schema", operations?.invalid ?? [])
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  var json: JSON {
    var members: JSON.Object = [
      "breaking": JSON(count(.breaking)), "dangerous": JSON(count(.dangerous)),
      "safe": JSON(count(.safe)), "changes": .array(changes.indices.map(json)),
    ]
    if let operations {
      members["operations"] = .array(operations.broken.map(\.json))
      members["invalidOperations"] = .array(operations.invalid.map(\.json))
    }
    return .object(members)
  }

  private static func lines(_ title: String, _ operations: [BrokenOperation]) -> [String] {
    if operations.isEmpty { return [] }
    return ["\(title):"] + operations.flatMap(\.lines).map { "  \($0)" } + [""]
  }

  private func json(_ index: Int) -> JSON {
    let change = changes[index]
    var members: JSON.Object = [
      "severity": .string(change.severity.rawValue), "kind": .string(change.kind.rawValue),
    ]
    members["coordinate"] = change.coordinate.map { .string($0.description) }
    members["subject"] = change.subject.map(JSON.string)
    members["message"] = .string(change.message)
    if uses != nil, change.severity == .breaking {
      members["uses"] = .array(places(index).map(\.json))
    }
    return .object(members)
  }

  /// `1 breaking, 0 dangerous, 3 safe changes, 1 broken operation`.
  private var summary: String {
    let counts = SchemaChange.Severity.allCases.map { "\(count($0)) \($0.rawValue)" }
    var parts = [counts.joined(separator: ", ") + " changes"]
    if let operations {
      parts.append(counted(operations.broken.count, "broken operation"))
      if !operations.invalid.isEmpty {
        parts.append(counted(operations.invalid.count, "invalid operation"))
      }
    }
    return parts.joined(separator: ", ")
  }

  private func count(_ severity: SchemaChange.Severity) -> Int {
    changes.count { $0.severity == severity }
  }

  private func places(_ index: Int) -> [SourceLine] {
    guard let uses, index < uses.count else { return [] }
    return uses[index]
  }

  private static func title(_ severity: SchemaChange.Severity) -> String {
    severity.rawValue.prefix(1).uppercased() + severity.rawValue.dropFirst()
  }

  private static func name(of change: SchemaChange) -> String {
    change.coordinate?.description ?? "schema"
  }
}

struct DiffOptions: Equatable {
  var old = ""
  var new = ""
  /// Files that are part of both schemas.
  var definitions: [String] = []
  var rules = SchemaRules.client
  /// nil: searched next to both schemas; the names in Swift are those of the older one.
  var config: String?
  /// Files and folders with operations and fragments.
  var documents: [String] = []
  /// Folders of Swift sources; empty: uses are not searched.
  var sources: [String] = []
  var printsJSON = false
}

extension DiffOptions {
  init(_ values: OptionValues) throws(UsageError) {
    let operands = try values.neededOperands()
    self.init(
      old: operands[0], new: operands[1], definitions: values.all(.definitions),
      rules: values.rules, config: values.first(.config),
      documents: values.all(.documents), sources: values.all(.sources),
      printsJSON: values.has(.json))
  }
}

/// An operation that is not valid for a schema.
struct BrokenOperation {
  let name: String
  /// The position of its name.
  let position: SourcePosition?
  let errors: [Diagnostic]

  init(_ operation: OperationDefinition, in sources: [Source], errors: [Diagnostic]) {
    name = operation.name ?? operation.operationType.rawValue
    position = sources.position(
      of: operation.name == nil ? operation.range : operation.nameRange)
    self.errors = errors
  }

  /// The name and, below it, the errors.
  var lines: [String] {
    let place = position.map { " (\($0.source):\($0.line))" } ?? ""
    return ["\(name)\(place)"]
      + errors.map { error in
        let place = error.position.map { "\($0.source):\($0.line):\($0.column): " } ?? ""
        return "  \(place)\(error.message)"
      }
  }

  var json: JSON {
    var members: JSON.Object = ["name": .string(name)]
    members["file"] = position.map { .string($0.source) }
    members["line"] = position.map { JSON($0.line) }
    members["errors"] = .array(
      errors.map { error in
        var members: JSON.Object = ["code": .string(error.code), "message": .string(error.message)]
        members["file"] = error.position.map { .string($0.source) }
        members["line"] = error.position.map { JSON($0.line) }
        members["column"] = error.position.map { JSON($0.column) }
        return .object(members)
      })
    return .object(members)
  }
}

/// The operations for which a change of the schema matters, in the order of the documents.
struct BrokenOperations {
  /// Those that are valid for the older schema and not for the newer one, with its errors.
  private(set) var broken: [BrokenOperation] = []
  /// Those that are not valid for the older schema, with its errors: what the change means for them is not
  /// known.
  private(set) var invalid: [BrokenOperation] = []

  /// - Parameter configuration: names directives that are not sent, which the schemas may lack, and the keys that are
  ///   added to what is sent.
  init(
    in sources: [Source], from old: ServiceSchema, to new: ServiceSchema,
    _ configuration: Configuration
  ) throws(Diagnostics) {
    let (parsed, errors) = Document.parse(sources)
    if !errors.isEmpty { throw Diagnostics(errors) }
    // Apps were built with the older schema, and send the directives that it has and what was added for it.
    let written = parsed.map(ClientDirectives.foreign(old).removed)
      .map(ClientDirectives.configured(configuration).removed)
    let olds = OperationErrors(written, sources, old)
    let sent = OperationsPipeline(configuration: configuration).sent(written, of: old)
    let sents = OperationErrors(sent, sources, old)
    let news = OperationErrors(sent, sources, new)
    for (index, operation) in parsed.flatMap(\.operations).enumerated() {
      let errors = olds.errors(at: index)
      if !errors.isEmpty {
        invalid.append(BrokenOperation(operation, in: sources, errors: errors))
        continue
      }
      let added = news.errors(at: index) + sents.changedResults(at: index, in: new)
      if !added.isEmpty { broken.append(BrokenOperation(operation, in: sources, errors: added)) }
    }
  }
}

/// Validates each operation of documents.
private struct OperationErrors {
  private let operations: [OperationDefinition]
  private let fragments: [String: FragmentDefinition]
  private let sources: [Source]
  private let schema: ServiceSchema

  /// - Parameter documents: without directives that are not sent.
  init(_ documents: [Document], _ sources: [Source], _ schema: ServiceSchema) {
    operations = documents.flatMap(\.operations)
    fragments = documents.fragmentsByName
    self.sources = sources
    self.schema = schema
  }

  /// The fields whose values have another type in a newer schema, so that clients cannot read them.
  func changedResults(at index: Int, in newer: ServiceSchema) -> [Diagnostic] {
    var changes = ChangedResults(from: schema, to: newer, sources: sources)
    for definition in operations[index].document(with: fragments).definitions {
      changes.visit(definition)
    }
    return changes.findings
  }

  func errors(at index: Int) -> [Diagnostic] {
    operations[index].document(with: fragments).validate(against: schema, sources: sources)
      .filter { $0.severity == .error }
  }
}

extension OperationDefinition {
  /// The operation and the fragments that it reaches.
  fileprivate func document(with fragments: [String: FragmentDefinition]) -> Document {
    var definitions: [Document.Definition] = [.operation(self)]
    var known: Set<String> = []
    var pending = selectionSet.spreads
    while let spread = pending.popLast() {
      guard known.insert(spread.name).inserted, let fragment = fragments[spread.name] else {
        continue
      }
      definitions.append(.fragment(fragment))
      pending += fragment.selectionSet.spreads
    }
    return Document(definitions: definitions)
  }
}

/// Selected fields whose newer type is not a subtype of the older one (specification: 3.6 Objects, Type Validation):
/// clients with the older schema cannot read all their results.
struct ChangedResults {
  private let older: ServiceSchema
  private let newer: ServiceSchema
  private let sources: [Source]
  private(set) var findings: [Diagnostic] = []

  init(from older: ServiceSchema, to newer: ServiceSchema, sources: [Source]) {
    self.older = older
    self.newer = newer
    self.sources = sources
  }

  mutating func visit(_ definition: Document.Definition) {
    switch definition {
    case .operation(let operation):
      guard let root = older.rootType(for: operation.operationType) else { return }
      visit(operation.selectionSet, on: .object(root))
    case .fragment(let fragment):
      visit(fragment.selectionSet, on: older.type(named: fragment.typeCondition.name))
    default: return
    }
  }

  // The parser limits the nesting.
  private mutating func visit(_ set: Document.SelectionSet, on type: NamedType?) {
    guard let type else { return }
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let old = older.typeOfSelectableField(named: field.name, on: type) else { continue }
        if let newType = newer.type(named: type.name),
          let new = newer.typeOfSelectableField(named: field.name, on: newType),
          !newer.isSubtype(new, of: old)
        {
          report(field, of: type, old, new)
        }
        if let inner = field.selectionSet { visit(inner, on: older.namedType(of: old)) }
      case .inlineFragment(let fragment):
        visit(
          fragment.selectionSet,
          on: fragment.typeCondition.map { older.type(named: $0.name) } ?? type)
      case .fragmentSpread: continue
      }
    }
  }

  private mutating func report(
    _ field: Document.Field, of type: NamedType, _ old: TypeReference, _ new: TypeReference
  ) {
    findings.append(
      Diagnostic(
        code: "ChangedResult",
        message:
          "The type of \(quoted("\(type.name).\(field.name)")) is \(quoted(new.description)), not"
          + " \(quoted(old.description)).",
        at: sources.position(of: field.nameRange)))
  }
}

extension SchemaFiles {
  /// Reads a file, or the files of a folder, without parsing them: those that the configuration in it names,
  /// or else all files of SDL.
  init(fileOrFolder path: String, files: FileAccess) throws {
    guard files.kind(of: path) == .folder else {
      try self.init(paths: [path], files: files)
      return
    }
    let configuration = try ConfigurationFile(
      named: nil, beside: Path.join(path, ConfigurationFile.name), namespace: nil, files: files)
    if configuration.namesSchema {
      try self.init(paths: configuration.schemaPaths([], files), files: files)
      return
    }
    let names = try files.names(in: path).filter { name in
      !name.hasPrefix(".") && [".graphqls", ".graphql", ".gql"].contains { name.hasSuffix($0) }
    }
    // Documents may be in the folder of the schema.
    let sources = try names.map { name throws(FileError) in
      let path = Path.join(path, name)
      return Source(name: path, bytes: try files.read(path))
    }
    .filter { source in
      !source.name.hasSuffix(".graphql") || DocumentKind(of: source) != .document
    }
    guard !sources.isEmpty else { throw FileError.holdsNoSchema(path: path) }
    self.init(sources: sources)
  }
}
