extension Completions {
  /// fish's own `__fish_seen_subcommand_from` is true for a word anywhere, such as the value `print` of an
  /// option.
  static var fish: String {
    var lines = [
      """
      function __graphql_generator_runs
        set -l words (commandline -opc)
        test (count $words) -gt 1; and test "$words[2]" = $argv[1]
      end
      complete -c \(tool) -f
      """
    ]
    for option in Help.options {
      lines.append(
        "complete -c \(tool) -n __fish_use_subcommand -l \(option.spelling.dropFirst(2)) "
          + "-d '\(quoted(option.explanation))'")
    }
    for subcommand in Subcommand.allCases {
      lines.append(
        "complete -c \(tool) -n __fish_use_subcommand -a \(subcommand.rawValue) "
          + "-d '\(quoted(subcommand.summary))'")
      let condition = "-n '__graphql_generator_runs \(subcommand.rawValue)'"
      for option in subcommand.allOptions {
        let value =
          switch option.valueKind {
          case .none: ""
          case .file: " -r -F"
          case .folder: " -x -a '(__fish_complete_directories)'"
          case .words(let words): " -x -a '\(words.joined(separator: " "))'"
          case .text: " -x"
          }
        lines.append(
          "complete -c \(tool) \(condition) -l \(option.rawValue)\(value) "
            + "-d '\(quoted(option.explanation))'")
      }
      if !subcommand.operandWords.isEmpty {
        lines.append(
          "complete -c \(tool) \(condition) -a '\(subcommand.operandWords.joined(separator: " "))'")
      } else if !subcommand.operands.isEmpty {
        lines.append("complete -c \(tool) \(condition) -F")
      }
    }
    return lines.joined(separator: "\n")
  }
}
