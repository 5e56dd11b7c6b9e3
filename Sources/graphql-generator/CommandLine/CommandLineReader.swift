import GraphQLCodeGen
import GraphQLSchema

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
