import GraphJSON
import GraphQLCodeGen
import GraphQLPrinting
import GraphQLSchema

/// `init`: makes a package, or a target of an existing one, for a service's schema, with a first
/// query that compiles.
struct Initialize {
  let options: InitOptions
  let files: FileAccess
  let console: Console
  var limits = HTTPLimits()

  /// Checks everything that needs no network first, and writes last.
  func run() throws -> ExitStatus {
    let place = NewPackagePlace(options, files: files)
    let manifest = Manifest(
      name: place.name, module: place.name + ModuleName.suffix,
      dependency: try Dependency(options.package, from: place.folder, files: files))
    let targets = NewTargets(
      manifest: manifest, isWholePackage: !place.isPackage, ignoresBuild: !place.hasGitignore,
      pipeline: GeneratorPipeline(configuration: Configuration(namespace: place.namespace(files))))
    try targets.files(in: place.root, schema: nil, program: "").check(files)

    guard let schema = try schema() else { return .problems }
    let plan = try targets.pipeline.plan(schema.schema)
    let program = FirstProgram(
      module: manifest.module, query: FirstQuery.best(for: plan), endpoint: options.endpoint,
      headers: options.headers)
    let newFiles = targets.files(in: place.root, schema: schema.file, program: program.text)
    if !options.isDryRun { try newFiles.create(files) }
    let report = InitReport(
      place: place, manifest: manifest, program: program, typeCount: schema.schema.types.count)
    try console.write(report.text(of: newFiles, isDryRun: options.isDryRun))
    return .success
  }

  /// The schema and the file that contains it; nil after an error, which was reported.
  private func schema() throws -> (schema: ServiceSchema, file: OutputFile)? {
    guard options.schema.isEmpty else { return try schemaOfFiles() }
    guard let endpoint = options.endpoint else { return nil }
    let service = EndpointSchema(
      endpoint: endpoint, headers: options.headers, limits: limits, console: console)
    return try service.download().map { schema in
      let text = schema.introspectionResult() + [UInt8(ascii: "\n")]
      return (schema, OutputFile(name: ConfigurationFile.defaultSchema, bytes: text))
    }
  }

  /// A single file is copied unchanged, with its comments. Several become one.
  private func schemaOfFiles() throws -> (schema: ServiceSchema, file: OutputFile) {
    let schemaFiles = try SchemaFiles(paths: options.schema, files: files)
    let progress = Progress(console: console, inputSize: schemaFiles.byteCount)
    let schema = try progress.during("Reading the schema") { try schemaFiles.schema() }
    let sources = schema.sources
    let isJSON = sources.count == 1 && sources[0].format == .introspection
    let bytes = sources.count == 1 ? Array(sources[0].bytes) : Array(schema.sdl.utf8)
    let name = isJSON ? ConfigurationFile.defaultSchema : "schema.graphqls"
    return (schema, OutputFile(name: name, bytes: bytes))
  }
}

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

struct InitOptions: Equatable {
  /// The service whose schema is downloaded, and to which the program sends its query; nil if the
  /// schema is in files and the user writes the address into the program.
  var endpoint: Endpoint?
  /// Empty: the schema is downloaded.
  var schema: [String] = []
  var headers: [Header] = []
  /// nil: made from the folder or the host.
  var name: String?
  /// The package's folder.
  var output = "."
  /// nil: the checkout that contains the tool.
  var package: PackageLocation?
  var isDryRun = false
}

/// The location of the package Treeswift, on which the new package depends.
enum PackageLocation: Equatable {
  /// A folder, relative to the current one.
  case path(String)
  /// A Git repository.
  case url(String)
}

extension InitOptions {
  init(_ values: OptionValues) throws(UsageError) {
    try values.exclude(.packagePath, .packageURL)
    let endpoint = try values.endpoint()
    guard endpoint != nil || values.has(.schema) else {
      throw UsageError(
        message: "--endpoint URL or --schema FILE is required.", subcommand: .initialize)
    }
    self.init(
      endpoint: endpoint, schema: values.all(.schema), headers: try values.headers(),
      name: try values.moduleName(), output: values.first(.output) ?? ".",
      package: try values.packageLocation(), isDryRun: values.has(.dryRun))
  }
}

extension OptionValues {
  /// nil if the option is not given.
  func moduleName() throws(UsageError) -> String? {
    guard let name = first(.name) else { return nil }
    guard let problem = ModuleName.problem(with: name) else { return name }
    throw UsageError(message: "--name: \(problem)", subcommand: subcommand)
  }

  /// nil if neither of its options is given.
  func packageLocation() throws(UsageError) -> PackageLocation? {
    if let path = first(.packagePath) { return .path(path) }
    guard let url = first(.packageURL) else { return nil }
    if url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) { return .url(url) }
    throw UsageError(
      message: "--package-url: A URL cannot contain spaces or control characters.",
      subcommand: subcommand)
  }
}

struct GraphQLConfigOptions: Equatable {
  /// Empty: the value in the configuration.
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  /// Files and folders; empty: those of the configuration and its folder.
  var documents: [String] = []
  /// nil: `graphql.config.yml`.
  var output: String?
}

extension GraphQLConfigOptions {
  init(_ values: OptionValues) {
    self.init(
      schema: values.all(.schema), config: values.first(.config),
      documents: values.all(.documents), output: values.first(.output))
  }
}
