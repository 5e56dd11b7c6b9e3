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
      (["diff", "old", "new", "--sources", ""], ["Sources"]),
      // The shell completes the names of files.
      (["diff", ""], []), (["generate", "--schema", "s"], []), (["nothing", "--"], []),
    ])
  func bashScriptCompletesArguments(words: [String], expected: [String]) throws {
    try folder.write(ToolRun("completions", "bash").output, to: "script")
    try folder.write("", to: "Sources/a.swift")
    let line = (["graphql-generator"] + words).map { "'\($0)'" }.joined(separator: " ")
    let found = try run(
      .bash,
      [
        "-c",
        """
        set -u; source ./script; COMP_WORDS=(\(line)); COMP_CWORD=\(words.count)
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
