import GraphQLCodeGen

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
