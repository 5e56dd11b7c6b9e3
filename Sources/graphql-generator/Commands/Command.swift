import GraphQLCodeGen
import GraphQLSchema

/// A parsed, typed command line.
enum Command: Equatable {
  case initialize(InitOptions)
  case generate(GenerateOptions)
  case check(CheckOptions)
  case graphQLConfig(GraphQLConfigOptions)
  case validate(ValidateOptions)
  case print(PrintOptions)
  case diff(DiffOptions)
  case stats(StatsOptions)
  case completions(Shell)
  case downloadSchema(DownloadSchemaOptions)
  /// Help for a subcommand, or for the tool.
  case help(Subcommand?)
  case version

  init(_ values: OptionValues) throws(UsageError) {
    self =
      switch values.subcommand {
      case .initialize: .initialize(try InitOptions(values))
      case .generate: .generate(try GenerateOptions(values))
      case .check: .check(try CheckOptions(values))
      case .graphQLConfig: .graphQLConfig(GraphQLConfigOptions(values))
      case .validate: .validate(try ValidateOptions(values))
      case .print: .print(try PrintOptions(values))
      case .diff: .diff(try DiffOptions(values))
      case .stats: .stats(try StatsOptions(values))
      case .completions: .completions(try Shell(values))
      case .downloadSchema: .downloadSchema(try DownloadSchemaOptions(values))
      }
  }

  /// - Parameter keep: Keeps large results, for a process that is about to end.
  func run(
    files: FileAccess, console: Console, keeping keep: (any Sendable) -> Void
  ) throws -> ExitStatus {
    switch self {
    case .initialize(let options):
      return try Initialize(options: options, files: files, console: console).run()
    case .generate(let options):
      return try Generate(options: options, files: files, console: console).run(keeping: keep)
    case .check(let options):
      return try Check(options: options, files: files, console: console).run()
    case .graphQLConfig(let options):
      return try GraphQLConfig(options: options, files: files, console: console).run()
    case .validate(let options):
      return try Validate(options: options, files: files, console: console).run(keeping: keep)
    case .print(let options):
      return try Print(options: options, files: files, console: console).run()
    case .diff(let options):
      return try Diff(options: options, files: files, console: console).run()
    case .stats(let options):
      return try Stats(options: options, files: files, console: console).run()
    case .completions(let shell):
      return try Completions(shell: shell, console: console).run()
    case .downloadSchema(let options):
      return try DownloadSchema(options: options, files: files, console: console).run()
    case .help(let subcommand): try console.write(Help.text(for: subcommand))
    case .version: try console.write(GeneratorTool.versionText)
    }
    return .success
  }
}

extension OptionValues {
  func neededOperands() throws(UsageError) -> [String] {
    guard operands.count == subcommand.operands.count else {
      throw UsageError(
        message: "\(subcommand.operands[operands.count]) is required.", subcommand: subcommand)
    }
    return operands
  }

  func neededSchema() throws(UsageError) -> [String] {
    guard has(.schema) else {
      throw UsageError(message: "--schema FILE is required.", subcommand: subcommand)
    }
    return all(.schema)
  }
}
