import Foundation
import TestSupport
import Testing

@testable import graphql_generator

@Suite("completions")
struct CompletionsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func path(of shell: Shell) -> String? {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(shell.rawValue)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a script and returns the lines of its standard output; nil if it fails.
  private func run(_ shell: Shell, _ arguments: [String]) throws -> [String]? {
    let program = URL(filePath: try #require(Self.path(of: shell)))
    let (end, output) = try ChildProcess(
      program, arguments, in: URL(filePath: folder.path), output: .pipe
    ).collect()
    return end == .exit(0) ? output.split(separator: "\n").map(String.init) : nil
  }

  @Test(
    .enabled(if: Self.path(of: .bash) != nil, "there is no bash"),
    arguments: [
      (["gen"], ["generate"]),
      ([""], Subcommand.allCases.map(\.rawValue) + ["--help", "--version"]),
      (["diff", "--s"], ["--sources"]),
      (
        ["diff", "old", "new", "--"],
        [
          "--documents", "--definitions", "--sources", "--config", "--json", "--allow-undefined",
          "--help",
        ]
      ),
      (["stats", "--schema", "a.graphqls", "--j"], ["--json"]),
      (["completions", ""], ["bash", "zsh", "fish"]),
      (["completions", "z"], ["zsh"]),
      (["generate", "--manifest-format", ""], ["apollo", "relay"]),
      (["generate", "--manifest-format", "r"], ["relay"]),
      (
        ["generate", "--output", "print", "--s"],
        ["--schema", "--schema-module", "--sources", "--strict"]
      ),
      // The shell completes the names of files and folders.
      (["diff", ""], []), (["generate", "--schema", "s"], []), (["nothing", "--"], []),
      (["diff", "old", "new", "--sources", ""], ["compopt +o default -o dirnames"]),
      (["generate", "--namespace", ""], ["compopt +o default"]),
    ])
  func bashScriptCompletesArguments(words: [String], expected: [String]) throws {
    try folder.write(ToolRun("completions", "bash").output, to: "script")
    let line = (["graphql-generator"] + words).map { "'\($0)'" }.joined(separator: " ")
    let found = try run(
      .bash,
      [
        "-c",
        """
        set -u; source ./script; COMP_WORDS=(\(line)); COMP_CWORD=\(words.count)
        compopt() { echo "compopt $*"; }
        _graphql_generator; printf '%s\\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
        """,
      ])
    #expect(found == expected)
  }

  @Test(.enabled(if: Self.path(of: .bash) != nil, "there is no bash"))
  func bashScriptRegistersCompletionForTool() throws {
    try folder.write(ToolRun("completions", "bash").output, to: "script")
    let found = try run(.bash, ["-c", "source ./script; complete -p graphql-generator"])
    #expect(found == ["complete -o default -F _graphql_generator graphql-generator"])
  }

  @Test(
    .enabled(if: Self.path(of: .zsh) != nil, "there is no zsh"), arguments: [Shell.zsh])
  func zshParsesCompletionScript(shell: Shell) throws {
    try folder.write(ToolRun("completions", "zsh").output, to: "script")
    #expect(try run(shell, ["-n", "script"]) != nil)
  }

  @Test(
    .enabled(if: Self.path(of: .zsh) != nil, "there is no zsh"),
    arguments: [
      (
        [""],
        ["--help:Show this help, or the help of a subcommand.", "--version:Show the version."]
      ),
      ([""], Subcommand.allCases.map { "\($0.rawValue):\(Completions.quoted($0.summary))" }),
      (["completions", ""], ["1:word:(bash zsh fish)"]),
      (
        ["generate", ""],
        [
          "--manifest-format[\(Option.manifestFormat.explanation.replacing(":", with: "\\:"))]"
            + ":manifest-format:(apollo relay)"
        ]
      ),
      (
        ["diff", "--output", "print", ""],
        ["*--sources[\(Option.sources.explanation)]:folder:_files -/", "*:file:_files"]
      ),
    ])
  func zshScriptDescribesArguments(words: [String], expected: [String]) throws {
    try folder.write(ToolRun("completions", "zsh").output, to: "script")
    let line = (["graphql-generator"] + words).map { "'\($0)'" }.joined(separator: " ")
    let found = try run(
      .zsh,
      [
        "-f", "-c",
        """
        compdef() {}; _describe() { print -rl -- ${(P)2} ${(P)4}; }; _arguments() { print -rl -- "$@"; }
        source ./script; words=(\(line)); CURRENT=\(words.count + 1); _graphql_generator
        """,
      ])
    #expect(Set(expected).subtracting(found ?? []).isEmpty)
  }

  @Test(
    .enabled(if: Self.path(of: .fish) != nil, "there is no fish"),
    arguments: [
      ("gen", ["generate"]), ("--v", ["--version"]), ("--h", ["--help"]),
      ("generate --manifest-format ", ["apollo", "relay"]),
      (
        "generate --output print --s",
        ["--schema", "--schema-module", "--sources", "--strict"]
      ),
      ("diff old new --sources s", ["schema folder/"]), ("completions z", ["zsh"]),
    ])
  func fishScriptCompletesArguments(line: String, expected: [String]) throws {
    try folder.write(ToolRun("completions", "fish").output, to: "script")
    try folder.write("", to: "schema folder/a.graphqls")
    let found = try run(
      .fish, ["--no-config", "-c", "source script; complete -C 'graphql-generator \(line)'"])
    // A description follows each.
    #expect(found?.map { String($0.prefix { $0 != "\t" }) } == expected)
  }

  @Test(
    .enabled(if: Self.path(of: .fish) != nil, "there is no fish"), arguments: [Shell.fish])
  func fishParsesCompletionScript(shell: Shell) throws {
    try folder.write(ToolRun("completions", "fish").output, to: "script")
    #expect(try run(shell, ["--no-execute", "script"]) != nil)
  }

  @Test(arguments: Shell.allCases)
  func scriptContainsEverySubcommandAndOption(shell: Shell) {
    let script = ToolRun("completions", shell.rawValue).output
    for subcommand in Subcommand.allCases {
      #expect(script.contains(subcommand.rawValue))
      for option in subcommand.options {
        #expect(script.contains(shell == .fish ? "-l \(option.rawValue)" : option.spelling))
      }
    }
  }

  @Test func rejectsUnknownShell() {
    let run = ToolRun("completions", "fihs")
    #expect(run.status == .usage)
    #expect(run.error.contains(#"There are no completions for "fihs""#))
    #expect(run.error.contains(#"Did you mean "fish"?"#))
    #expect(ToolRun("completions").error.contains("SHELL is required."))
  }
}
