extension Completions {
  static var zsh: String {
    let cases = Subcommand.allCases.map { subcommand in
      let options = subcommand.allOptions.map { option in
        let value =
          switch option.valueKind {
          case .none: ""
          case .file: ":file:_files"
          case .folder: ":folder:_files -/"
          case .words(let words): ":\(option.rawValue):(\(words.joined(separator: " ")))"
          case .text: ":\(option.rawValue): "
          }
        let star = option.arity == .several || option.arity == .repeated ? "*" : ""
        return "        '\(star)\(option.spelling)[\(zshText(option.explanation))]\(value)'"
      }
      let operand =
        subcommand.operandWords.isEmpty
        ? "        '*:file:_files'"
        : "        '1:word:(\(subcommand.operandWords.joined(separator: " ")))'"
      return """
            \(subcommand.rawValue))
              _arguments \\
        \((options + [operand]).joined(separator: " \\\n")) ;;
        """
    }
    let subcommands = Subcommand.allCases.map {
      "    '\($0.rawValue):\(quoted($0.summary))'"
    }
    let options = Help.options.map { "    '\($0.spelling):\(quoted($0.explanation))'" }
    return """
      #compdef \(tool)
      _graphql_generator() {
        local -a subcommands options
        subcommands=(
      \(subcommands.joined(separator: "\n"))
        )
        options=(
      \(options.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe subcommand subcommands -- options
          return
        fi
        local subcommand=$words[2]
        shift words
        (( CURRENT-- ))
        case $subcommand in
      \(cases.joined(separator: "\n"))
        esac
      }
      compdef _graphql_generator \(tool)
      """
  }

  /// Text between the brackets of a zsh argument specification.
  private static func zshText(_ text: String) -> String {
    quoted(text).replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
  }
}
