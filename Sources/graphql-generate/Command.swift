/// The only subcommand: the plugins run no other, and users do not compile what they do not need.
enum Subcommand: String, CaseIterable {
  case generate

  var options: [Option] { GenerateOptions.options }
  var operands: [String] { [] }
  var takesSecrets: Bool { false }
  var summary: String { GenerateOptions.summary }
  var discussion: String { GenerateOptions.discussion }
}

/// A parsed, typed command line.
enum Command {
  case generate(GenerateOptions)
  /// Help for a subcommand, or for the tool.
  case help(Subcommand?)
  case version

  init(_ values: OptionValues) throws(UsageError) { self = .generate(try GenerateOptions(values)) }

  /// - Parameter keep: Keeps large results, for a process that is about to end.
  func run(
    files: FileAccess, console: Console, keeping keep: (any Sendable) -> Void
  ) throws -> ExitStatus {
    switch self {
    case .generate(let options):
      return try Generate(options: options, files: files, console: console).run(keeping: keep)
    case .help(let subcommand): try console.write(Help.text(for: subcommand))
    case .version: try console.write(GeneratorTool.versionText)
    }
    return .success
  }
}
