import GraphQLCodeGen
import GraphQLSchema

/// The files of one schema.
struct SchemaFiles {
  private let sources: [Source]

  /// Reads the files without parsing them.
  init(paths: [String], files: FileAccess) throws(FileError) {
    var sources: [Source] = []
    for path in paths { sources.append(Source(name: path, bytes: try files.read(path))) }
    self.init(sources: sources)
  }

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

  private init(sources: [Source]) { self.sources = sources }

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
  private let paths: [String]
  private let files: FileAccess

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

  /// Visits the contents of each source, in the order of the paths.
  func forEach<Failure: Error>(
    _ visit: (_ path: String, _ contents: [UInt8]) throws(Failure) -> Void
  ) throws {
    for path in Set(paths).sorted() { try visit(path, try files.read(path)) }
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
