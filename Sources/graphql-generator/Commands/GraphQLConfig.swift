import GraphJSON
import GraphQLSchema

/// `graphql-config`: writes `graphql.config.yml`, with which the language servers of editors find schema and
/// documents.
struct GraphQLConfig {
  static let fileName = "graphql.config.yml"
  private static let header = "# Written by graphql-generator graphql-config."

  let options: GraphQLConfigOptions
  let files: FileAccess
  let console: Console

  func run() throws -> ExitStatus {
    let configuration = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files)
    let schemas = try configuration.schemaPaths(options.schema, files)
    for schema in schemas where files.kind(of: schema) == .nothing {
      throw FileError.missing(path: schema)
    }
    let documents =
      !options.documents.isEmpty
      ? options.documents
      : try configuration.documentPaths(files) + [configuration.documentFolder]
    let output = options.output ?? Self.fileName
    if files.kind(of: output) == .file, !files.file(output, beginsWith: Self.header) {
      throw FileError.notWritten(path: output)
    }
    let text = text(schemas: schemas, documents: documents, in: Path.folder(of: output))
    try files.write(Array(text.utf8), to: output)
    try console.write("\(output) written")
    return .success
  }

  /// The paths are relative to the file. All of them are patterns.
  private func text(schemas: [String], documents: [String], in folder: String) -> String {
    let origin = files.absolute(folder.isEmpty ? "." : folder)
    func relative(_ path: String) -> String {
      escapedPattern(Path.relative(files.absolute(path), to: origin))
    }
    let schemas = schemas.map(relative)
    let patterns = documents.map { path in
      guard files.kind(of: path) == .folder else { return relative(path) }
      let folder = relative(path)
      return folder == "." ? "**/*.graphql" : "\(folder)/**/*.graphql"
    }
    // A schema with the documents' extension is in the same folders.
    let excluded = schemas.filter { $0.hasSuffix(".graphql") }.map { "!\($0)" }
    return ([Self.header] + list("schema", schemas) + list("documents", patterns + excluded))
      .joined(separator: "\n") + "\n"
  }

  private func list(_ key: String, _ paths: [String]) -> [String] {
    // JSON's strings are double-quoted scalars of YAML (YAML 1.2, section 7.3.1).
    ["\(key):"] + paths.map { "  - \(JSON.string($0))" }
  }

  /// A path as a part of a pattern for files.
  private func escapedPattern(_ path: String) -> String {
    path.reduce(into: "") { pattern, character in
      if "*?[]{}()!+@\\".contains(character) { pattern += "\\" }
      pattern.append(character)
    }
  }
}
