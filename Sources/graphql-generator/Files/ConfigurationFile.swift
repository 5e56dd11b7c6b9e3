#if !ONE_MODULE
  import GraphQLCodeGen
  import GraphQLSchema
#endif

/// `graphql-generator.json`, and its location, since its paths are relative to it.
struct ConfigurationFile {
  static let name = "graphql-generator.json"
  static let defaultSchema = "schema.json"
  static let defaultOutput = "Generated"

  /// The defaults if there is no file.
  private(set) var configuration: Configuration
  /// nil if there is no file.
  let source: Source?
  let path: String
  private let folder: String

  /// Reads the named file, or else one next to the schema, or in the current folder without a
  /// schema, if it exists.
  ///
  /// - Parameter namespace: overrides the configured one.
  init(
    named path: String?, beside schema: String?, namespace: String?, files: FileAccess
  ) throws {
    let candidate = path ?? Path.join(schema.map(Path.folder) ?? "", Self.name)
    self.path = candidate
    folder = Path.folder(of: candidate)
    let isRead = path != nil || files.kind(of: candidate) != .nothing
    source = isRead ? Source(name: candidate, bytes: try files.read(candidate)) : nil
    configuration = try source.map { try Configuration(parsing: $0) } ?? Configuration()
    if let namespace { configuration.namespace = namespace }
  }

  /// Uses as many files as there are names.
  mutating func layOut(inFiles names: [String]) throws(Diagnostics) {
    guard configuration.layout != .perType else {
      throw Diagnostics([
        Diagnostic(
          code: "layout",
          message:
            "A file per type is not possible here: build-tool plugins must know the files "
            + "before the schema is read.",
          at: SourcePosition(source: path, line: 1, column: 1),
          suggestion: #"Use { "layout": { "files": 4 } }, or `swift package generate`."#)
      ])
    }
    configuration.layout = .files(1)
    let others = (configuration.expectedFileNames ?? []).count - 1
    guard names.count > others, Set(names).count == names.count, names.allSatisfy(Path.isName)
    else {
      throw Diagnostics([
        Diagnostic(
          code: "layout",
          message: "--file-names requires \(others + 1) or more different file names.")
      ])
    }
    configuration.layout = .files(names.count - others)
  }

  /// Whether the schema's files are named.
  var namesSchema: Bool { !configuration.schema.isEmpty }

  /// The schema's files, relative to the current folder.
  ///
  /// - Parameter named: those of a command, which have precedence; empty: the configured ones.
  func schemaPaths(_ named: [String], _ files: FileAccess) throws(Diagnostics) -> [String] {
    if !named.isEmpty { return named }
    guard configuration.schema.isEmpty else {
      return try paths(configuration.schema, in: ["schema"], files)
    }
    let path = Path.join(folder, Self.defaultSchema)
    guard files.kind(of: path) == .nothing else { return [path] }
    throw Diagnostics([
      Diagnostic(
        code: "path", message: "\(path): There is no such file.",
        suggestion: "Name the schema with --schema, or in \(Self.name) as `\"schema\"`.")
    ])
  }

  /// The documents that the configuration names, relative to the current folder.
  func documentPaths(_ files: FileAccess) throws(Diagnostics) -> [String] {
    try paths(configuration.operations.documents, in: ["operations", "documents"], files)
  }

  /// Throws if there is nothing at a path, or no folder where one is needed.
  private func paths(
    _ names: [String], in keys: [String], _ files: FileAccess, areFolders: Bool = false
  ) throws(Diagnostics) -> [String] {
    let paths = joined(names)
    for (index, path) in paths.enumerated() {
      let kind = files.kind(of: path)
      if areFolders ? kind == .folder : !names[index].isEmpty && kind != .nothing { continue }
      throw Diagnostics([
        Diagnostic(
          code: areFolders ? "pruning" : "path",
          message: "There is no \(areFolders ? "folder" : "file") \(quoted(names[index])).",
          at: source.flatMap { Configuration.position(ofPath: index, in: keys, of: $0) },
          suggestion: "The path is relative to this file.")
      ])
    }
    return paths
  }

  private func joined(_ names: [String]) -> [String] { names.map { Path.join(folder, $0) } }

  /// The folder in which the documents are unless the configuration names them.
  var documentFolder: String { folder.isEmpty ? "." : folder }

  /// Takes the options that are for documents from another configuration. Without an `access` there, the types of
  /// documents have that of the schema's.
  ///
  /// - Throws: if it is wider, since the types of documents name those of the schema.
  mutating func takeDocumentOptions(of other: ConfigurationFile) throws(Diagnostics) {
    configuration.operations = other.configuration.operations
    guard let position = other.accessPosition else { return }
    let (access, limit) = (other.configuration.access, configuration.access)
    guard !access.isWider(than: limit) else {
      throw Diagnostics([
        Diagnostic(
          code: "access",
          message:
            "The types of the documents cannot be \(access.rawValue), since those of the schema are "
            + "\(limit.rawValue): \(quoted(path)) has that `access`.",
          at: position,
          suggestion: "Remove `access` here, or change it there.")
      ])
    }
    configuration.access = access
  }

  /// The same without options for documents.
  var withoutDocumentOptions: ConfigurationFile {
    var file = self
    file.configuration.operations = OperationOptions()
    return file
  }

  /// Which violations of a schema are errors, by the options of a command and this configuration.
  func rules(_ options: SchemaRules) -> SchemaRules {
    var rules = options
    if configuration.allowUndefinedTypes { rules.allowsUndefinedTypes = true }
    return rules
  }

  /// The words of the sources that determine what is used; nil if everything is generated.
  func usage(_ files: FileAccess) throws -> SwiftIdentifiers? {
    guard case .usage(let names) = configuration.pruning else { return nil }
    let paths = try paths(names, in: ["pruning", "usage"], files, areFolders: true)
    return try UsageSources(folders: paths, documentsOnly: true, files: files).identifiers()
  }

  /// The elements that the documents in the usage folders use; nil if everything is generated.
  func documentUses(_ schema: ServiceSchema, _ files: FileAccess) throws -> DocumentUses? {
    guard case .usage(let names) = configuration.pruning else { return nil }
    let documents = try DocumentFiles(paths: joined(names), files: files)
    return documents.isEmpty
      ? nil : DocumentUses(documents.sources, schema: schema, configuration: configuration)
  }

  /// Throws if the configuration names other files than when SwiftPM planned the build.
  ///
  /// SwiftPM keeps the inputs that the plugin has declared. With other files, this run would be
  /// right, but an edit of one of them would not start the next.
  ///
  /// - Parameter planned: as the plugin writes it, `schema: ["a.graphqls"], usage: []`.
  func checkPlan(_ planned: String) throws(Diagnostics) {
    var folders: [String] = []
    if case .usage(let paths) = configuration.pruning { folders = paths }
    try check(
      planned, equals: "schema: \(configuration.schema), usage: \(folders)",
      "This file names other schemas or usage folders")
  }

  /// Throws if the configuration of documents has other values than when SwiftPM planned the build; see
  /// `checkPlan`.
  ///
  /// - Parameter planned: as the plugin writes it, `documents: [], namespace: -, schemaModule: -`.
  func checkDocumentPlan(_ planned: String) throws(Diagnostics) {
    let operations = configuration.operations
    try check(
      planned,
      equals:
        "documents: \(operations.documents), namespace: \(operations.namespace?.value ?? "-"), "
        + "schemaModule: \(operations.schemaModule ?? "-")",
      "This file has other documents, another namespace of operations or another schema module")
  }

  /// Throws if the folders of documents have others than when SwiftPM planned the build; see `checkPlan`.
  ///
  /// - Parameters:
  ///   - planned: all documents of the module.
  ///   - schemas: the files of the schema, which are not documents.
  func checkDocumentFolders(
    planned: [String], schemas: [String], files: FileAccess
  ) throws {
    let folders = joined(configuration.operations.documents)
      .filter { files.kind(of: $0) == .folder }
    let found = try DocumentFiles(paths: folders, schemas: schemas + planned, files: files)
    if let new = found.sources.first {
      throw otherPlan(
        "\(new.name) is in a folder that this file names, and was not there when SwiftPM planned the build."
      )
    }
  }

  private func check(
    _ planned: String, equals current: String, _ difference: String
  ) throws(Diagnostics) {
    guard planned != current else { return }
    throw otherPlan("\(difference) than when SwiftPM planned the build.")
  }

  private func otherPlan(_ message: String) -> Diagnostics {
    Diagnostics([
      Diagnostic(
        code: "plan", message: message, at: SourcePosition(source: path, line: 1, column: 1),
        suggestion:
          "SwiftPM plans again when the manifest changes: touch Package.swift. For an Xcode "
          + "project, clean the build folder.")
    ])
  }

  /// The output folder, relative to the current folder.
  var outputPath: String {
    configuration.output.map { Path.join(folder, $0) } ?? Self.defaultOutput
  }
}

extension ConfigurationFile {
  /// nil if the file has no `access`.
  var accessPosition: SourcePosition? {
    source.flatMap { Configuration.position(ofKey: "access", of: $0) }
  }

  /// The access of the types of documents with this configuration.
  ///
  /// - Parameter schemaAccess: that of the schema's types, which they have without an `access` here.
  func documentAccess(
    schemaAccess: Configuration.AccessLevel
  ) -> Configuration.AccessLevel {
    accessPosition == nil ? schemaAccess : configuration.access
  }

  /// Throws if the documents of another module cannot name the types of the schema.
  func checkAccessOfOtherModules() throws(Diagnostics) {
    guard configuration.access == .internal else { return }
    throw Diagnostics([
      Diagnostic(
        code: "access",
        message:
          "The types of the schema are internal, so the documents of another module cannot name them.",
        at: accessPosition,
        suggestion: #"Set "access" to "public", or to "package" for modules of the same package."#)
    ])
  }
}

/// The files of one schema.
struct SchemaFiles {
  private let sources: [Source]

  /// Reads the files without parsing them.
  init(paths: [String], files: FileAccess) throws(FileError) {
    var sources: [Source] = []
    for path in paths { sources.append(Source(name: path, bytes: try files.read(path))) }
    self.init(sources: sources)
  }

  init(sources: [Source]) { self.sources = sources }

  /// The files of a schema that is in both.
  func adding(_ others: SchemaFiles) -> SchemaFiles {
    SchemaFiles(sources: sources + others.sources)
  }

  /// Throws if a file of the schema is a document. SwiftPM keeps the choice that the plugin has made, also after
  /// the contents of a file have changed.
  func checkKinds() throws(Diagnostics) {
    let documents = sources.filter { source in
      source.name.hasSuffix(".graphql") && DocumentKind(of: source) == .document
    }
    guard !documents.isEmpty else { return }
    throw Diagnostics(
      documents.map { source in
        Diagnostic(
          code: "plan", message: "This is a document, but a schema is expected.",
          at: SourcePosition(source: source.name, line: 1, column: 1),
          suggestion: "If the file was a schema when SwiftPM planned the build, \(Self.planAgain)")
      })
  }

  /// The way out after a change that SwiftPM does not notice.
  static let planAgain = "touch Package.swift. For an Xcode project, clean the build folder."

  var byteCount: Int { sources.reduce(0) { $0 + $1.count } }

  /// Parses and validates.
  ///
  /// - Throws: all errors in the schema, and with them its warnings.
  func schema(_ rules: SchemaRules = .client) throws(Diagnostics) -> ServiceSchema {
    try ServiceSchema.read(sources, rules: rules)
  }
}

/// The Swift sources that use a generated module.
struct UsageSources {
  let paths: [String]
  let files: FileAccess

  /// Finds the sources below the folders, except in hidden folders and generated files.
  ///
  /// - Parameter documentsOnly: whether a folder may have documents and no sources.
  init(
    folders: [String], documentsOnly: Bool = false, files: FileAccess
  ) throws(FileError) {
    self.files = files
    var paths: [String] = []
    for folder in folders {
      let found = try Self.sources(below: folder, files)
      if found.isEmpty {
        let documents = documentsOnly ? try files.files(below: folder, ending: ".graphql") : []
        if documents.isEmpty { throw .holdsNoSources(path: folder) }
      }
      paths += found
    }
    self.paths = paths
  }

  /// All words of the sources.
  func identifiers() throws(FileError) -> SwiftIdentifiers {
    var identifiers = SwiftIdentifiers()
    for path in paths { identifiers.collect(from: try files.read(path)) }
    return identifiers
  }

  private static func sources(
    below folder: String, _ files: FileAccess
  ) throws(FileError) -> [String] {
    guard files.kind(of: folder) == .folder else { throw .missingFolder(path: folder) }
    return try files.files(below: folder, ending: ".swift").filter {
      !files.file($0, beginsWith: GeneratedFile.header)
    }
  }
}

/// The words of Swift sources, which are read when they are first needed.
final class NamedTypes {
  private let folders: [String]
  private let files: FileAccess
  private var identifiers: SwiftIdentifiers?

  init(folders: [String], files: FileAccess) {
    self.folders = folders
    self.files = files
  }

  /// Whether the sources name a type. Folders that cannot be read have no sources.
  func contains(_ name: String) -> Bool {
    if folders.isEmpty { return false }
    let identifiers =
      identifiers ?? (try? UsageSources(folders: folders, files: files).identifiers())
      ?? SwiftIdentifiers()
    self.identifiers = identifiers
    return identifiers.contains(name)
  }
}

/// The documents of a module, and those of other modules whose fragments it uses.
struct DocumentFiles {
  private(set) var sources: [Source] = []
  private(set) var imported: [OperationsPipeline.Module] = []

  var isEmpty: Bool { sources.isEmpty }

  /// Reads the files without parsing them.
  ///
  /// - Parameters:
  ///   - paths: files, and folders in which all documents are used.
  ///   - schemas: the files of the schema, which are not documents.
  init(
    paths: [String], imported: [ImportedDocument] = [], schemas: [String] = [], files: FileAccess
  ) throws(FileError) {
    var known = Set(schemas.map(files.absolute))
    for path in paths {
      if files.kind(of: path) == .folder {
        for path in try files.files(below: path, ending: ".graphql") {
          let place = files.absolute(path)
          if known.contains(place) { continue }
          let source = Source(name: path, bytes: try files.read(path))
          let kind = DocumentKind(of: source)
          guard
            kind.isDocument(named: Path.name(of: path)) || kind == .schema && source.hasOperations
          else { continue }
          known.insert(place)
          sources.append(source)
        }
      } else if known.insert(files.absolute(path)).inserted {
        sources.append(Source(name: path, bytes: try files.read(path)))
      }
    }
    for document in imported {
      let source = Source(name: document.path, bytes: try files.read(document.path))
      let position = self.imported.firstIndex {
        $0.name == document.module && $0.namespace == document.namespace
      }
      if let position {
        self.imported[position].documents.append(source)
      } else {
        self.imported.append(
          OperationsPipeline.Module(
            name: document.module, namespace: document.namespace, access: document.access,
            documents: [source]))
      }
    }
  }

  /// Throws if a document is a schema. SwiftPM keeps the choice that the plugin has made, also after
  /// the contents of a file have changed.
  func checkKinds() throws(Diagnostics) {
    var problems: [Diagnostic] = []
    for source in sources where DocumentKind(of: source) == .schema {
      if source.hasOperations {
        problems.append(
          Diagnostic(
            code: "kinds", message: "This file has types of a schema, and operations or fragments.",
            at: SourcePosition(source: source.name, line: 1, column: 1),
            suggestion: "Move the operations and fragments into a file of their own."))
        continue
      }
      problems.append(
        Diagnostic(
          code: "plan", message: "This is a schema, but operations and fragments are expected.",
          at: SourcePosition(source: source.name, line: 1, column: 1),
          suggestion:
            "If the file was a document when SwiftPM planned the build, \(SchemaFiles.planAgain)"))
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
  }
}

extension DocumentOptions {
  /// The documents of other modules whose fragments can be used: their types are public or, within a
  /// package, have the access `package`.
  ///
  /// - Parameter schemaAccess: that of the schema's types, which those of documents have unless a configuration
  ///   has another one.
  func usableImports(
    schemaAccess: Configuration.AccessLevel, _ files: FileAccess
  ) throws -> [ImportedDocument] {
    func access(_ file: ImportedDocument) throws -> Configuration.AccessLevel {
      try ConfigurationFile(named: file.path, beside: nil, namespace: nil, files: files)
        .documentAccess(schemaAccess: schemaAccess)
    }
    var accesses: [String: Configuration.AccessLevel] = [:]
    for file in importedConfigs { accesses[file.module] = try access(file) }
    for file in otherPackageConfigs {
      // The access `package` is that of another package.
      accesses[file.module] = try access(file) == .public ? .public : .internal
    }
    return imported.compactMap { document in
      var document = document
      document.access = accesses[document.module] ?? schemaAccess
      return document.access == .internal && accesses[document.module] != nil ? nil : document
    }
  }
}

extension Source {
  /// Whether a source that begins as a schema also has operations or fragments.
  fileprivate var hasOperations: Bool { DocumentKind.hasOperations(Array(bytes)) }
}

extension DocumentKind {
  init(of source: Source) { self.init(of: Array(source.bytes)) }
}
