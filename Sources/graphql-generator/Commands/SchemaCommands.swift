import GraphQLCodeGen
import GraphQLPrinting
import GraphQLSchema

/// `validate`: reports all errors and warnings in a schema.
struct Validate {
  let options: ValidateOptions
  let files: FileAccess
  let console: Console

  /// - Parameter keep: Keeps large values, so that they are not freed before the process ends.
  func run(keeping keep: (any Sendable) -> Void = { _ in }) throws -> ExitStatus {
    let rules = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files
    ).rules(options.rules)
    let schemaFiles = try SchemaFiles(paths: options.schema, files: files)
    let progress = Progress(console: console, inputSize: schemaFiles.byteCount)
    let schema: ServiceSchema
    do throws(Diagnostics) {
      schema = try progress.during("Reading the schema") { () throws(Diagnostics) in
        try schemaFiles.schema(rules)
      }
    } catch {
      console.report(error)
      try console.write(counted(error.errorCount, "error"))
      return .problems
    }
    keep(schema)
    for warning in schema.warnings { console.report(warning) }
    let warningCount = schema.warningCounts.values.reduce(0, +)
    let warnings = warningCount == 0 ? "" : ", \(counted(warningCount, "warning"))"
    try console.write("\(counted(schema.types.elements.count, "type")), 0 errors\(warnings)")
    return .success
  }
}

/// `print`: a schema as SDL or as an introspection result.
struct Print {
  let options: PrintOptions
  let files: FileAccess
  let console: Console

  func run() throws -> ExitStatus {
    let rules = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files
    ).rules(options.rules)
    let schemaFiles = try SchemaFiles(paths: options.schema, files: files)
    let progress = Progress(console: console, inputSize: schemaFiles.byteCount)
    let schema = try progress.during("Reading the schema") { try schemaFiles.schema(rules) }
    let text = progress.during("Printing the schema") { self.text(of: schema) }
    if let output = options.output {
      try files.write(text, to: output)
    } else {
      try console.write(text)
    }
    return .success
  }

  private func text(of schema: ServiceSchema) -> [UInt8] {
    switch options.form {
    case .sdl: Array(schema.sdl.utf8)
    case .introspection: schema.introspectionResult() + [UInt8(ascii: "\n")]
    }
  }
}

/// `stats`: the size of a schema, the amount of its generated code, and what pruning would keep of
/// it.
struct Stats {
  let options: StatsOptions
  let files: FileAccess
  let console: Console

  func run() throws -> ExitStatus {
    let configurationFile = try ConfigurationFile(
      named: options.config, beside: options.schema.first, namespace: nil, files: files)
    let schemaFiles = try SchemaFiles(paths: options.schema, files: files)
    let progress = Progress(
      console: console, inputSize: schemaFiles.byteCount, isQuiet: options.printsJSON)
    let schema = try progress.during("Reading the schema") {
      try schemaFiles.schema(configurationFile.rules(options.rules))
    }
    let usage = try configurationFile.usage(files)
    let documents = try configurationFile.documentUses(schema, files)
    let report = try progress.during("Generating the module") {
      let pipeline = GeneratorPipeline(configuration: configurationFile.configuration)
      return StatsReport(
        schema: SchemaFigures(schema), whole: CodeFigures(try pipeline.run(schema).files),
        pruned: try usage.map {
          try StatsReport.Pruned(pipeline.run(schema, usage: $0, documents: documents))
        } ?? nil)
    }
    if options.printsJSON {
      try console.write(report.json)
    } else {
      try console.write(report.text)
    }
    return .success
  }
}

/// `download-schema`: downloads a GraphQL service's schema, and writes it as an introspection
/// result or, to a file with an SDL extension, as SDL.
struct DownloadSchema {
  let options: DownloadSchemaOptions
  let files: FileAccess
  let console: Console
  var limits = HTTPLimits()

  func run() throws -> ExitStatus {
    let service = EndpointSchema(
      endpoint: options.endpoint, headers: options.headers, limits: limits, console: console)
    guard let schema = try service.download() else { return .problems }
    guard let output = options.output else {
      try console.write(schema.introspectionResult() + [UInt8(ascii: "\n")])
      return .success
    }
    let isSDL = output.hasSuffix(".graphqls") || output.hasSuffix(".graphql")
    try files.write(
      isSDL ? Array(schema.sdl.utf8) : schema.introspectionResult() + [UInt8(ascii: "\n")],
      to: output)
    try console.write("\(schema.types.count) types in \(output)")
    return .success
  }
}

struct ValidateOptions: Equatable {
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  /// Which violations of the specification are errors.
  var rules = SchemaRules.client
}

extension ValidateOptions {
  init(_ values: OptionValues) throws(UsageError) {
    self.init(
      schema: try values.neededSchema(), config: values.first(.config), rules: values.rules)
  }
}

struct PrintOptions: Equatable {
  enum Form: Equatable {
    case sdl, introspection
  }

  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  var rules = SchemaRules.client
  var form = Form.sdl
  /// nil: standard output.
  var output: String?
}

extension PrintOptions {
  init(_ values: OptionValues) throws(UsageError) {
    try values.exclude(.sdl, .introspection)
    self.init(
      schema: try values.neededSchema(), config: values.first(.config), rules: values.rules,
      form: values.has(.introspection) ? .introspection : .sdl,
      output: values.first(.output))
  }
}

struct StatsOptions: Equatable {
  var schema: [String] = []
  var rules = SchemaRules.client
  /// nil: searched next to the schema.
  var config: String?
  var printsJSON = false
}

extension StatsOptions {
  init(_ values: OptionValues) throws(UsageError) {
    self.init(
      schema: try values.neededSchema(), rules: values.rules, config: values.first(.config),
      printsJSON: values.has(.json))
  }
}

struct DownloadSchemaOptions: Equatable {
  var endpoint: Endpoint
  var headers: [Header] = []
  /// nil: standard output.
  var output: String?
}

extension DownloadSchemaOptions {
  init(_ values: OptionValues) throws(UsageError) {
    guard let endpoint = try values.endpoint() else {
      throw UsageError(message: "--endpoint URL is required.", subcommand: .downloadSchema)
    }
    self.init(
      endpoint: endpoint, headers: try values.headers(), output: values.first(.output))
  }
}

extension OptionValues {
  /// nil if the option is not given.
  func endpoint() throws(UsageError) -> Endpoint? {
    guard let address = first(.endpoint) else { return nil }
    if let endpoint = Endpoint(address) { return endpoint }
    guard ["http://", "https://"].contains(where: { address.lowercased().hasPrefix($0) }) else {
      throw UsageError(
        message: "The endpoint is not an http or https URL.",
        suggestion: "Begin it with https:// or http://.", subcommand: subcommand)
    }
    throw UsageError(
      message: "The endpoint is not an http or https URL without user and password.",
      suggestion: "Specify credentials with --header.", subcommand: subcommand)
  }

  func headers() throws(UsageError) -> [Header] {
    var headers: [Header] = []
    for text in all(.header) {
      guard let header = Header(text) else {
        throw UsageError(
          message:
            "A header must have the form 'Name: value', on one line and without control characters.",
          subcommand: subcommand)
      }
      headers.append(header)
    }
    return headers
  }
}
