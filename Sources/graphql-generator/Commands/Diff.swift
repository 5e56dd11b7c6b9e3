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
