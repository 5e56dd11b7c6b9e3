/// A command line, read and typed.
enum Command: Equatable {
  case generate(GenerateOptions)
  case validate(ValidateOptions)
  case print(PrintOptions)
  case diff(DiffOptions)
  case stats(StatsOptions)
  case completions(Shell)
  case downloadSchema(DownloadSchemaOptions)
  /// Help for a subcommand, or for the tool.
  case help(Subcommand?)
  case version
}

struct GenerateOptions: Equatable {
  enum Mode: Equatable {
    case write
    /// Lists differences and fails if there are any.
    case check
    /// Lists what would be done.
    case dryRun
  }

  /// Empty: what the configuration says.
  var schema: [String] = []
  /// nil: looked for beside the schema.
  var config: String?
  /// nil: what the configuration says.
  var output: String?
  /// nil: what the configuration says.
  var namespace: String?
  /// Empty: what follows from the configuration.
  var fileNames: [String] = []
  var mode = Mode.write
  /// Whether what pruning left out is listed.
  var listsDropped = false
  var isQuiet = false
}

struct ValidateOptions: Equatable {
  var schema: [String] = []
}

struct PrintOptions: Equatable {
  enum Form: Equatable {
    case sdl, introspection
  }

  var schema: [String] = []
  var form = Form.sdl
  /// nil: standard output.
  var output: String?
}

struct DiffOptions: Equatable {
  var old = ""
  var new = ""
  /// Folders of Swift sources; empty: uses are not searched for.
  var sources: [String] = []
  var printsJSON = false
}

struct StatsOptions: Equatable {
  var schema: [String] = []
  /// nil: looked for beside the schema.
  var config: String?
  var printsJSON = false
}

struct DownloadSchemaOptions: Equatable {
  var endpoint: Endpoint
  var headers: [Header] = []
  /// nil: standard output.
  var output: String?
}

/// A command line that cannot be understood.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var message: String
  /// What may have been meant.
  var suggestion: String?
  /// The subcommand whose help is of use.
  var subcommand: Subcommand?

  var description: String {
    let help = ["graphql-generator", subcommand?.rawValue, "--help"].compactMap(\.self)
    return """
      error: \(message)\(suggestion.map { " \($0)" } ?? "")
      See `\(help.joined(separator: " "))`.
      """
  }
}
