extension Completions {
  static var fish: String {
    var lines = ["complete -c \(tool) -f"]
    for subcommand in Subcommand.allCases {
      lines.append(
        "complete -c \(tool) -n __fish_use_subcommand -a \(subcommand.rawValue) "
          + "-d '\(quoted(subcommand.summary))'")
      let condition = "-n '__fish_seen_subcommand_from \(subcommand.rawValue)'"
      for option in subcommand.allOptions {
        let value =
          switch option.valueKind {
          case .none: ""
          case .file: " -r -F"
          case .folder: " -x -a '(__fish_complete_directories)'"
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
