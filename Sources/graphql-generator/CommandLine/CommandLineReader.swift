#if !ONE_MODULE
  import GraphQLCodeGen
  import GraphQLSchema
#endif

/// Reads the arguments of the process. Each tool has its own `Subcommand` and `Command`.
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
    return values.has(.help) ? .help(subcommand) : try Command(values)
  }

  private static func subcommand(_ name: String) throws(UsageError) -> Subcommand {
    if let subcommand = Subcommand(rawValue: name) { return subcommand }
    throw UsageError(
      message: "There is no subcommand \(quoted(name)). Available: \(subcommandList).",
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
}

/// An invalid command line.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var message: String
  /// A suggestion.
  var suggestion: String?
  /// The subcommand with the relevant help.
  var subcommand: Subcommand?

  var description: String {
    let help = ["graphql-generator", subcommand?.rawValue, "--help"].compactMap(\.self)
    return """
      error: \(message)\(suggestion.map { " \($0)" } ?? "")
      See `\(help.joined(separator: " "))`.
      """
  }
}

/// Help text, made from the tables of subcommands and options.
enum Help {
  static func text(for subcommand: Subcommand?) -> String {
    subcommand.map(details) ?? overview
  }

  /// The options without a subcommand.
  static let options = [
    (spelling: "--help", explanation: "Show this help, or the help of a subcommand."),
    (spelling: "--version", explanation: "Show the version."),
  ]

  private static var overview: String {
    """
    Generates Swift code from GraphQL schemas.

    Usage: graphql-generator SUBCOMMAND [OPTIONS]

    Subcommands:
    \(table(Subcommand.allCases.map { ($0.rawValue, $0.summary) }))

    Options:
    \(table(options.map { ($0.spelling, $0.explanation) }))

    \(exitStatuses)
    """
  }

  private static func details(_ subcommand: Subcommand) -> String {
    let options = (subcommand.options + [.help]).map { option in
      ([option.spelling] + [option.placeholder].compactMap(\.self), option.explanation)
    }
    return """
      \(subcommand.summary)

      Usage: \(usage(subcommand))

      \(subcommand.discussion)

      Options:
      \(table(options.map { ($0.joined(separator: " "), $1) }))

      \(exitStatuses)
      """
  }

  private static func usage(_ subcommand: Subcommand) -> String {
    (["graphql-generator", subcommand.rawValue] + subcommand.operands + ["[OPTIONS]"])
      .joined(separator: " ")
  }

  private static let exitStatuses = """
    Exit status: 0 for success, 1 if there are problems, 2 if the command line is invalid.
    """

  private static func table(_ rows: [(term: String, explanation: String)]) -> String {
    let width = rows.map(\.term.count).max() ?? 0
    return rows.map { row in
      let space = String(repeating: " ", count: width - row.term.count + 2)
      let lines = wrapped(row.explanation, to: lineWidth - width - 4)
      let indent = "\n" + String(repeating: " ", count: width + 4)
      return "  \(row.term)\(space)\(lines.joined(separator: indent))"
    }.joined(separator: "\n")
  }

  private static let lineWidth = 110

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}

/// An option of a subcommand, written `--name`.
enum Option: String, CaseIterable {
  case schema, config, output, namespace, check, quiet, sdl, introspection, sources, json, endpoint,
    header, name, planned, strict, documents, imported, manifest, module, print, definitions, help
  case dryRun = "dry-run"
  case allowUndefinedTypes = "allow-undefined"
  case fileNames = "file-names"
  case listDropped = "list-dropped"
  case packagePath = "package-path"
  case packageURL = "package-url"
  case documentsOnly = "documents-only"
  case documentConfig = "document-config"
  case importedConfig = "imported-config"
  case otherPackageConfig = "other-package-config"
  case plannedDocuments = "planned-documents"
  case schemaModule = "schema-module"
  case manifestFormat = "manifest-format"
  case exportedFragments = "exported-fragments"

  /// The number of values after the option.
  enum Arity {
    case none, one
    /// One, and the option may be given several times.
    case repeated
    /// At least one.
    case several
  }

  var arity: Arity {
    switch self {
    case .schema, .fileNames, .documents, .definitions: .several
    case .config, .output, .namespace, .endpoint, .name, .packagePath, .packageURL, .planned,
      .documentConfig, .plannedDocuments, .module, .schemaModule, .manifest, .manifestFormat:
      .one
    case .sources, .header, .imported, .importedConfig, .otherPackageConfig: .repeated
    case .listDropped, .check, .dryRun, .quiet, .sdl, .introspection, .json, .strict,
      .allowUndefinedTypes, .documentsOnly, .exportedFragments, .print, .help:
      .none
    }
  }

  /// The option in its written form.
  var spelling: String { "--\(rawValue)" }

  /// The placeholder for the values in help.
  var placeholder: String? {
    switch self {
    case .schema, .definitions: "FILE…"
    case .config, .documentConfig, .manifest: "FILE"
    case .output: "PATH"
    case .documents: "PATH…"
    case .imported, .importedConfig, .otherPackageConfig: "MODULE=FILE"
    case .namespace, .name, .module, .schemaModule: "NAME"
    case .manifestFormat: "FORMAT"
    case .fileNames: "NAME…"
    case .sources, .packagePath: "DIR"
    case .endpoint, .packageURL: "URL"
    case .planned, .plannedDocuments: "TEXT"
    case .header: "'NAME: VALUE'"
    default: nil
    }
  }

  /// One line for help.
  var explanation: String {
    switch self {
    case .schema: "Files of the schema: SDL, or an introspection result (JSON)."
    case .config:
      "The configuration; by default graphql-generator.json next to the schema, if it exists."
    case .output:
      "The output: a folder for init (.) and generate (Generated), a file for others."
    case .namespace: "The Swift enum around all generated types, instead of the configured one."
    case .check:
      "Write nothing; list the files that are out of date, and exit with 1 if there are any."
    case .dryRun: "Write nothing; list the changes that would be made."
    case .quiet: "Print only warnings and errors."
    case .fileNames:
      "Names for the files, instead of names made from the namespace; for plugins."
    case .planned:
      "The schemas and usage folders that the configuration must name; for plugins."
    case .listDropped: "With pruning, list every type and field that is left out."
    case .sdl: "Print the schema definition language (the default)."
    case .introspection: "Print an introspection result (JSON)."
    case .sources: "A folder of Swift sources to search for uses; may be given several times."
    case .endpoint: "The address of the service, http or https."
    case .header: "A header for the request, such as a token; may be given several times."
    case .name: "The name of the package and its program; its module of the schema is NAMEAPI."
    case .packagePath: "The folder of Treeswift, instead of the checkout that contains this tool."
    case .packageURL: "The Git repository of Treeswift, instead of a folder."
    case .json: "Print JSON, for programs."
    case .allowUndefinedTypes:
      "An extension of a type that is not defined defines it: for a subgraph of a federation."
    case .strict:
      "Every violation of the specification is an error, also if it concerns only the service."
    case .documents:
      "Files with operations and fragments, or folders in which all of them are used."
    case .imported:
      "A document of another module, whose fragments may be used; may be given several times."
    case .importedConfig:
      "The configuration of such a module, whose fragments are not used if it has internal types."
    case .otherPackageConfig:
      "The same for a module of another package, whose types also must not have the access package."
    case .documentsOnly: "Generate only documents, not the types of the schema."
    case .module: "The module that is generated, whose name some types cannot have; for plugins."
    case .schemaModule: "The module with the types of the schema; implies --documents-only."
    case .documentConfig:
      "The configuration of the documents, if it is not that of the schema."
    case .plannedDocuments:
      "The documents that their configuration must name; for plugins."
    case .definitions:
      "Files of definitions that are part of both schemas, such as those of @defer and @stream."
    case .manifest: "The manifest of all operations (trusted documents)."
    case .manifestFormat: "The format of the manifest: apollo (the default) or relay."
    case .exportedFragments:
      "Fragments may be for other modules, so unused ones are not reported."
    case .print: "Print each operation as it will be sent, with its hash."
    case .help: "Show this help."
    }
  }
}

/// The operands and options of a command line with their values.
struct OptionValues {
  let subcommand: Subcommand
  /// One for each of `Subcommand.operands`, unless help is asked for.
  private(set) var operands: [String] = []
  private var values: [Option: [String]] = [:]

  /// `--name value`, `--name=value`, and for options with several values `--name value value`.
  init(_ arguments: ArraySlice<String>, of subcommand: Subcommand) throws(UsageError) {
    self.subcommand = subcommand
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        try takeOperand(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = try option(spelled: String(parts[0]))
      try take(option, inlineValue: parts.count == 2 ? String(parts[1]) : nil, from: &rest)
    }
  }

  private mutating func takeOperand(_ argument: String) throws(UsageError) {
    if operands.count < subcommand.operands.count { return operands.append(argument) }
    let advice =
      !subcommand.takesSecrets
      ? subcommand.operands.isEmpty ? "Specify schema files with --schema." : nil
      : has(.endpoint)
        ? "A header with its value is one argument: put it in quotes."
        : "Specify the URL of the service with --endpoint."
    throw UsageError(
      message: "\(shown(argument)) does not belong to an option.", suggestion: advice,
      subcommand: subcommand)
  }

  /// The written text, unless it may be part of a secret.
  private func shown(_ argument: String) -> String {
    subcommand.takesSecrets ? "One of the arguments" : quoted(argument)
  }

  private func option(spelled spelling: String) throws(UsageError) -> Option {
    if spelling == "-h" { return .help }
    let known = subcommand.options + [.help]
    if let option = known.first(where: { $0.spelling == spelling }) { return option }
    throw UsageError(
      message: subcommand.takesSecrets && !Self.isOptionName(spelling)
        ? "\(subcommand.rawValue) does not have one of the options."
        : "\(subcommand.rawValue) has no option \(quoted(spelling)).",
      suggestion: didYouMean(
        String(spelling.trimmingPrefix { $0 == "-" }), among: known.map(\.rawValue)),
      subcommand: subcommand)
  }

  /// Whether a text has the form of an option: `--`, and a short name of small letters and hyphens,
  /// which is not the form of a token.
  private static func isOptionName(_ text: String) -> Bool {
    text.hasPrefix("--") && text.utf8.count <= 18
      && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "a") < 26 }
  }

  private mutating func take(
    _ option: Option, inlineValue: String?, from rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var taken = inlineValue.map { [$0] } ?? []
    switch option.arity {
    case .none:
      guard taken.isEmpty else {
        throw UsageError(
          message: "\(option.spelling) does not take a value.", subcommand: subcommand)
      }
    case .one, .repeated:
      guard option.arity == .repeated || values[option] == nil else {
        throw UsageError(message: "\(option.spelling) is given twice.", subcommand: subcommand)
      }
      if taken.isEmpty, let next = rest.first, !next.hasPrefix("-") {
        taken.append(next)
        rest.removeFirst()
      }
    case .several:
      while inlineValue == nil, let next = rest.first, !next.hasPrefix("-") {
        taken.append(next)
        rest.removeFirst()
      }
    }
    if option.arity != .none, taken.allSatisfy(\.isEmpty) {
      throw UsageError(
        message: "\(option.spelling) requires a value: \(option.placeholder ?? "").",
        subcommand: subcommand)
    }
    values[option, default: []] += taken
  }

  func has(_ option: Option) -> Bool { values[option] != nil }
  func first(_ option: Option) -> String? { values[option]?.first }
  func all(_ option: Option) -> [String] { values[option] ?? [] }

  func exclude(_ first: Option, _ second: Option) throws(UsageError) {
    if has(first), has(second) {
      throw UsageError(
        message: "\(first.spelling) and \(second.spelling) cannot be used together.",
        subcommand: subcommand)
    }
  }
}

/// Options of several subcommands whose values are more than texts.
extension OptionValues {
  var rules: SchemaRules {
    var rules = has(.strict) ? SchemaRules.specification : .client
    rules.allowsUndefinedTypes = has(.allowUndefinedTypes)
    return rules
  }

  func documents() throws(UsageError) -> DocumentOptions {
    DocumentOptions(
      paths: all(.documents), imported: try imported(.imported),
      importedConfigs: try imported(.importedConfig),
      otherPackageConfigs: try imported(.otherPackageConfig), config: first(.documentConfig),
      exportsFragments: has(.exportedFragments), sources: all(.sources))
  }

  private func imported(_ option: Option) throws(UsageError) -> [ImportedDocument] {
    var imported: [ImportedDocument] = []
    for text in all(option) {
      guard let document = ImportedDocument(text) else {
        throw UsageError(
          message: "\(option.spelling): \(quoted(text)) is not of the form MODULE=FILE.",
          subcommand: subcommand)
      }
      imported.append(document)
    }
    return imported
  }

  /// nil if the option is not given.
  func manifestFormat() throws(UsageError) -> OperationOptions.ManifestFormat? {
    guard let text = first(.manifestFormat) else { return nil }
    if let format = OperationOptions.ManifestFormat(rawValue: text) { return format }
    let names = OperationOptions.ManifestFormat.allCases.map(\.rawValue)
    throw UsageError(
      message: "--manifest-format: the formats are \(names.joined(separator: " and ")).",
      suggestion: didYouMean(text, among: names), subcommand: subcommand)
  }
}
