/// The tool's subcommands.
enum Subcommand: String, CaseIterable {
  /// Not `init`, which is the name of initialisers.
  case initialize = "init"
  case generate, validate, print, diff, stats, completions
  case downloadSchema = "download-schema"

  /// The options it takes, in the order in which help shows them.
  var options: [Option] {
    switch self {
    case .initialize:
      [.endpoint, .schema, .header, .name, .output, .packagePath, .packageURL, .dryRun]
    case .generate:
      [.schema, .config, .output, .namespace, .fileNames, .listDropped, .check, .dryRun, .quiet]
    case .validate: [.schema]
    case .print: [.schema, .sdl, .introspection, .output]
    case .diff: [.sources, .json]
    case .stats: [.schema, .config, .json]
    case .completions: []
    case .downloadSchema: [.endpoint, .header, .output]
    }
  }

  /// Required operands, by their placeholders in help.
  var operands: [String] {
    switch self {
    case .diff: ["OLD", "NEW"]
    case .completions: ["SHELL"]
    default: []
    }
  }

  /// Whether the command line may contain tokens, so that no part of it is ever printed.
  var takesSecrets: Bool { self == .downloadSchema || self == .initialize }

  /// One line for the list of subcommands.
  var summary: String {
    switch self {
    case .initialize: "Make a package with a module for a service's schema and a first query."
    case .generate: "Write a Swift module for a schema."
    case .validate: "Report everything that is wrong with a schema."
    case .print: "Print a schema as SDL or as an introspection result."
    case .diff: "List what has changed between two versions of a schema, and what that breaks."
    case .stats: "Count what is in a schema, and estimate what its module costs to compile."
    case .completions: "Print a script that completes this tool's command line in a shell."
    case .downloadSchema: "Ask a GraphQL service for its schema."
    }
  }

  /// The help text below the summary.
  var discussion: String {
    switch self {
    case .initialize:
      """
      In a folder without Package.swift, this writes a package: the manifest, a target with the
      schema, whose module is generated when it is built, and a program that sends a query. In a
      package, it writes the target only, and prints what to add to Package.swift, and the query.
      No file is ever replaced. If anything is wrong, nothing is written. The generated types are in
      the enum API, or NAME if another module of the package has an enum API.

      The service is asked for its schema as by download-schema, unless --schema names files. Then
      --endpoint is the address in the program. The values of headers are not written: the program
      reads them from its environment, and so it does with an address that has a query.

      NAME is made from the folder, or else from the host. The dependency on Treeswift is the path
      of the checkout that contains this tool, if it was built in one; otherwise --package-path or
      --package-url is needed. As there is no release yet, a URL is used with its branch main.
      """
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
    case .diff:
      """
      OLD and NEW are files, SDL or introspection results, or folders of SDL files. Breaking changes
      make documents or programs invalid; dangerous ones may surprise them; safe ones do neither.
      The exit status is 1 if a change is breaking. With --sources, the lines of Swift that use what
      a breaking change is about are listed below it; they are found by name, so a member of the
      same name in another type is listed as well. Comments and strings do not count.
      """
    case .stats:
      """
      Where the configuration prunes to what is used, the figures of what is kept are shown as well.
      Compile times are estimates from the number of functions.
      """
    case .completions:
      """
      SHELL is \(Shell.allCases.map(\.rawValue).joined(separator: ", ")). For bash:
        source <(graphql-generator completions bash)
      For zsh, after compinit, the same with zsh. For fish:
        graphql-generator completions fish | source
      """
    case .downloadSchema:
      """
      The schema is written as an introspection result, or as SDL where --output ends with .graphqls
      or .graphql; without --output, to standard output. Nothing is written unless the response is a
      valid schema. Headers are sent to the endpoint's own origin only, and are never shown.
      """
    }
  }
}
