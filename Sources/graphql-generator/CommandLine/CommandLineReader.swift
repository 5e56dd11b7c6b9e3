import GraphQLCodeGen
import GraphQLSchema

/// Reads the arguments of the process.
enum CommandLineReader {
  static func command(from arguments: [String]) throws(UsageError) -> Command {
    let arguments = try withoutPluginVersion(arguments)
    guard let first = arguments.first else {
      throw UsageError(message: "A subcommand is required: \(subcommandList).")
    }
    switch first {
    case "--help", "-h", "help":
      return .help(try arguments.dropFirst().first.map(subcommand))
    case "--version": return .version
    default: break
    }
    let subcommand = try subcommand(first)
    let values = try OptionValues(arguments.dropFirst(), of: subcommand)
    if values.has(.help) { return .help(subcommand) }
    return switch subcommand {
    case .initialize: .initialize(try initialize(values))
    case .generate: .generate(try generate(values))
    case .check: .check(try check(values))
    case .graphQLConfig:
      .graphQLConfig(
        GraphQLConfigOptions(
          schema: values.all(.schema), config: values.first(.config),
          documents: values.all(.documents), output: values.first(.output)))
    case .validate:
      .validate(
        ValidateOptions(
          schema: try values.neededSchema(), config: values.first(.config), rules: values.rules))
    case .print: .print(try print(values))
    case .diff: .diff(try diff(values))
    case .stats:
      .stats(
        StatsOptions(
          schema: try values.neededSchema(), rules: values.rules, config: values.first(.config),
          printsJSON: values.has(.json)))
    case .completions: .completions(try shell(values))
    case .downloadSchema: .downloadSchema(try download(values))
    }
  }

  private static func subcommand(_ name: String) throws(UsageError) -> Subcommand {
    if let subcommand = Subcommand(rawValue: name) { return subcommand }
    throw UsageError(
      message: "There is no subcommand \(quoted(name)); the subcommands are \(subcommandList).",
      suggestion: didYouMean(name, among: Subcommand.allCases.map(\.rawValue)))
  }

  /// The plugins pass their version first: in an artifact bundle, the tool may be of another one. So a
  /// version that does not fit is reported before options that it does not know.
  private static func withoutPluginVersion(
    _ arguments: [String]
  ) throws(UsageError) -> ArraySlice<String> {
    let option = "--plugin-version="
    guard let version = arguments.first, version.hasPrefix(option) else { return arguments[...] }
    guard version == option + GeneratorTool.version else {
      throw UsageError(
        message: "This is graphql-generator \(GeneratorTool.version), but the plugin is of "
          + "Treeswift \(version.dropFirst(option.count)).",
        suggestion: "TREESWIFT_GENERATOR_BUNDLE must name the artifact bundle of the same version. "
          + "Without it, the tool is compiled from its sources.")
    }
    return arguments.dropFirst()
  }

  private static let subcommandList =
    Subcommand.allCases.map(\.rawValue).joined(separator: ", ")

  private static func generate(_ values: OptionValues) throws(UsageError) -> GenerateOptions {
    try values.exclude(.check, .dryRun)
    try values.exclude(.schemaModule, .namespace)
    return GenerateOptions(
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

  private static func check(_ values: OptionValues) throws(UsageError) -> CheckOptions {
    try values.exclude(.manifest, .documents)
    try values.exclude(.manifest, .sources)
    return CheckOptions(
      schema: values.all(.schema), config: values.first(.config),
      documents: try values.documents(), prints: values.has(.print),
      manifest: values.first(.manifest), rules: values.rules)
  }

  private static func print(_ values: OptionValues) throws(UsageError) -> PrintOptions {
    try values.exclude(.sdl, .introspection)
    return PrintOptions(
      schema: try values.neededSchema(), config: values.first(.config), rules: values.rules,
      form: values.has(.introspection) ? .introspection : .sdl,
      output: values.first(.output))
  }

  private static func diff(_ values: OptionValues) throws(UsageError) -> DiffOptions {
    let operands = try values.neededOperands()
    return DiffOptions(
      old: operands[0], new: operands[1], definitions: values.all(.definitions),
      rules: values.rules, config: values.first(.config),
      documents: values.all(.documents), sources: values.all(.sources),
      printsJSON: values.has(.json))
  }

  private static func shell(_ values: OptionValues) throws(UsageError) -> Shell {
    let name = try values.neededOperands()[0]
    if let shell = Shell(rawValue: name) { return shell }
    let names = Shell.allCases.map(\.rawValue)
    throw UsageError(
      message: "There are no completions for \(quoted(name)); the supported shells are "
        + "\(names.joined(separator: ", ")).",
      suggestion: didYouMean(name, among: names), subcommand: .completions)
  }

  private static func download(
    _ values: OptionValues
  ) throws(UsageError) -> DownloadSchemaOptions {
    guard let endpoint = try values.endpoint() else {
      throw UsageError(message: "--endpoint URL is required.", subcommand: .downloadSchema)
    }
    return DownloadSchemaOptions(
      endpoint: endpoint, headers: try values.headers(), output: values.first(.output))
  }

  private static func initialize(_ values: OptionValues) throws(UsageError) -> InitOptions {
    try values.exclude(.packagePath, .packageURL)
    let endpoint = try values.endpoint()
    guard endpoint != nil || values.has(.schema) else {
      throw UsageError(
        message: "--endpoint URL or --schema FILE is required.", subcommand: .initialize)
    }
    return InitOptions(
      endpoint: endpoint, schema: values.all(.schema), headers: try values.headers(),
      name: try values.moduleName(), output: values.first(.output) ?? ".",
      package: try values.packageLocation(), isDryRun: values.has(.dryRun))
  }
}
