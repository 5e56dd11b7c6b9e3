extension Completions {
  /// The shell itself completes file names (`-o default`) and folders (`-o dirnames`) if the script returns
  /// nothing, since it quotes spaces in them. The bash of macOS has no `compopt`, and completes files as well.
  static var bash: String {
    let cases = Subcommand.allCases.map { subcommand in
      let options = subcommand.allOptions.map(\.spelling).joined(separator: " ")
      let operands = subcommand.operandWords.joined(separator: " ")
      return "    \(subcommand.rawValue)) options=\"\(options)\" operands=\"\(operands)\" ;;"
    }
    let folders = Option.allCases.filter { $0.valueKind == .folder }.map(\.spelling)
    let texts = Option.allCases.filter { $0.valueKind == .text }.map(\.spelling)
    let files = Option.allCases.filter { $0.valueKind == .file }.map(\.spelling)
    let choices = Option.allCases.compactMap { option -> String? in
      guard case .words(let words) = option.valueKind else { return nil }
      return "    \(option.spelling)) operands=\"\(words.joined(separator: " "))\" ;;"
    }
    return """
      _graphql_generator() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local options="" operands=""
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(words)" -- "$current"))
          return
        fi
        case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac
        case $current in
          -*) COMPREPLY=($(compgen -W "$options" -- "$current")); return ;;
        esac
        case $previous in
          \(folders.joined(separator: "|"))) compopt +o default -o dirnames 2>/dev/null; return ;;
          \(texts.joined(separator: "|"))) compopt +o default 2>/dev/null; return ;;
          \(files.joined(separator: "|"))) return ;;
      \(choices.joined(separator: "\n"))
        esac
        if [ -n "$operands" ]; then
          COMPREPLY=($(compgen -W "$operands" -- "$current"))
        fi
      }
      complete -o default -F _graphql_generator \(tool)
      """
  }

  private static var words: String {
    (Subcommand.allCases.map(\.rawValue) + Help.options.map(\.spelling)).joined(separator: " ")
  }
}
