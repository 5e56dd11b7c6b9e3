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
