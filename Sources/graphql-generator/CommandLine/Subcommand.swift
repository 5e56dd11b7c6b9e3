/// What the tool can be asked to do.
enum Subcommand: String, CaseIterable {
  case generate, validate, print

  /// The options it takes, in the order in which help shows them.
  var options: [Option] {
    switch self {
    case .generate:
      [.schema, .config, .output, .namespace, .fileNames, .listDropped, .check, .dryRun, .quiet]
    case .validate: [.schema]
    case .print: [.schema, .sdl, .introspection, .output]
    }
  }

  /// One line for the list of subcommands.
  var summary: String {
    switch self {
    case .generate: "Write a Swift module for a schema."
    case .validate: "Report everything that is wrong with a schema."
    case .print: "Print a schema as SDL or as an introspection result."
    }
  }

  /// What help says below the summary.
  var discussion: String {
    switch self {
    case .generate:
      """
      Without --schema, the schema is what the configuration names, or else schema.json beside it.
      Files whose contents stay the same are not touched. Files in the output folder that an
      earlier run has generated and that are no longer needed are removed; other files are never
      changed. If anything is wrong, nothing is written.
      """
    case .validate:
      """
      Diagnostics go to standard error as file:line:column, a summary to standard output.
      """
    case .print:
      """
      Several SDL files are printed as one schema.
      """
    }
  }
}

/// An option of a subcommand, written `--name`.
enum Option: String, CaseIterable {
  case schema, config, output, namespace, check, quiet, sdl, introspection, help
  case dryRun = "dry-run"
  case fileNames = "file-names"
  case listDropped = "list-dropped"

  /// How many values follow the option.
  enum Arity {
    case none, one
    /// At least one.
    case several
  }

  var arity: Arity {
    switch self {
    case .schema, .fileNames: .several
    case .config, .output, .namespace: .one
    case .listDropped, .check, .dryRun, .quiet, .sdl, .introspection, .help: .none
    }
  }

  /// The option as it is written.
  var spelling: String { "--\(rawValue)" }

  /// What stands for the values in help.
  var placeholder: String? {
    switch self {
    case .schema: "FILE…"
    case .config: "FILE"
    case .output: "PATH"
    case .namespace: "NAME"
    case .fileNames: "NAME…"
    default: nil
    }
  }

  /// One line for help.
  var explanation: String {
    switch self {
    case .schema: "Files of the schema: SDL, or an introspection result (JSON)."
    case .config: "The configuration; graphql-generator.json beside the schema if it exists."
    case .output: "Where to write: a folder for generate (Generated), a file for print."
    case .namespace: "The Swift enum around all generated types, instead of the configured one."
    case .check: "Write nothing; list what is out of date and exit with 1 if anything is."
    case .dryRun: "Write nothing; list what would be done."
    case .quiet: "Say nothing unless something is wrong."
    case .fileNames:
      "Names for the files, instead of those that follow from the namespace; for plugins."
    case .listDropped: "With pruning, list every type and field that is left out."
    case .sdl: "Print the schema definition language (the default)."
    case .introspection: "Print an introspection result (JSON)."
    case .help: "Show this help."
    }
  }
}
