import Testing

@testable import graphql_generator

@Suite("Help is complete")
struct HelpTests {
  @Test(arguments: Subcommand.allCases)
  func everyOptionIsExplained(subcommand: Subcommand) {
    let run = ToolRun(subcommand.rawValue, "--help")
    #expect(run.status == .success)
    #expect(run.error.isEmpty)
    // Long explanations have several lines.
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for option in subcommand.options + [.help] {
      #expect(run.output.contains("\n  \(option.spelling)"))
      #expect(words.contains(option.explanation))
    }
  }

  @Test func theOverviewListsTheSubcommands() {
    let run = ToolRun("--help")
    #expect(run.status == .success)
    for subcommand in Subcommand.allCases {
      #expect(run.output.contains("\n  \(subcommand.rawValue)"))
    }
  }

  @Test func helpLinesFitTerminalWidth() {
    for arguments in [["--help"]] + Subcommand.allCases.map({ [$0.rawValue, "--help"] }) {
      for line in ToolRun(arguments).output.split(separator: "\n") {
        #expect(line.count <= 110)
      }
    }
  }

  @Test func versionOutputIsOneLine() {
    #expect(ToolRun("--version").output == "graphql-generator \(GeneratorTool.version)\n")
  }
}
