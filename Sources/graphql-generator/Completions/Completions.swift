import GraphQLCodeGen
import GraphQLSchema

/// `completions`: a script that completes the tool's command line in a shell, made from the same
/// tables as the help.
struct Completions {
  let shell: Shell
  let console: Console

  func run() throws -> ExitStatus {
    try console.write(script)
    return .success
  }

  /// The script, which contains only names from the tables.
  var script: String {
    switch shell {
    case .bash: Self.bash
    case .zsh: Self.zsh
    case .fish: Self.fish
    }
  }

  static let tool = "graphql-generator"

  /// Text between single quotes; the tables have no backslashes.
  static func quoted(_ text: String) -> String { text.replacing("'", with: "’") }
}

/// A shell with completions.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  init(_ values: OptionValues) throws(UsageError) {
    let name = try values.neededOperands()[0]
    if let shell = Shell(rawValue: name) {
      self = shell
      return
    }
    let names = Self.allCases.map(\.rawValue)
    throw UsageError(
      message: "There are no completions for \(quoted(name)); the supported shells are "
        + "\(names.joined(separator: ", ")).",
      suggestion: didYouMean(name, among: names), subcommand: .completions)
  }
}

extension Subcommand {
  /// Its options in their written form, including `--help`.
  var allOptions: [Option] { options + [.help] }

  /// Words for an operand; empty if it is a file.
  var operandWords: [String] {
    self == .completions ? Shell.allCases.map(\.rawValue) : []
  }
}

extension Option {
  enum ValueKind: Equatable {
    case none, file, folder, text
    /// One of these.
    case words([String])
  }

  var valueKind: ValueKind {
    switch placeholder {
    case nil: .none
    case "DIR": .folder
    case "FILE", "FILE…", "PATH", "PATH…": .file
    case "FORMAT": .words(OperationOptions.ManifestFormat.allCases.map(\.rawValue))
    default: .text
    }
  }
}

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
