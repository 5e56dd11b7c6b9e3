import Testing

@testable import graphql_generator

@Suite("The command line is read into a typed command")
struct CommandLineReaderTests {
  @Test func generateHasDefaultsForAllOptions() throws {
    #expect(try CommandLineReader.command(from: ["generate"]) == .generate(GenerateOptions()))
  }

  @Test func parsesAllGenerateOptions() throws {
    let command = try CommandLineReader.command(from: [
      "generate", "--schema", "a.graphqls", "b.graphqls", "--config", "c.json", "--output", "Out",
      "--namespace", "Shop", "--check", "--quiet", "--file-names", "1.swift", "2.swift", "--schema",
      "d.graphqls",
    ])
    let expected = GenerateOptions(
      schema: ["a.graphqls", "b.graphqls", "d.graphqls"], config: "c.json", output: "Out",
      namespace: "Shop", fileNames: ["1.swift", "2.swift"], mode: .check, isQuiet: true)
    #expect(command == .generate(expected))
  }

  @Test func acceptsAPluginOfTheSameVersion() throws {
    #expect(
      try CommandLineReader.command(from: [
        "--plugin-version=\(GeneratorTool.version)", "generate",
      ]) == .generate(GenerateOptions()))
  }

  /// Also with options that this version does not know.
  @Test func rejectsAPluginOfAnotherVersion() {
    let error = #expect(throws: UsageError.self) {
      try CommandLineReader.command(from: ["--plugin-version=99.1.0", "invent", "--novel"])
    }
    #expect(
      error?.message
        == "This is graphql-generator \(GeneratorTool.version), but the plugin is of Treeswift 99.1.0."
    )
    #expect(error?.suggestion?.contains("TREESWIFT_GENERATOR_BUNDLE") == true)
  }

  @Test func parsesOptionValuesAfterEqualsSign() throws {
    let command = try CommandLineReader.command(from: [
      "generate", "--schema=-odd=name.graphqls", "--output=Out", "--dry-run",
    ])
    let expected = GenerateOptions(schema: ["-odd=name.graphqls"], output: "Out", mode: .dryRun)
    #expect(command == .generate(expected))
  }

  @Test func parsesSchemasOfValidateAndPrint() throws {
    #expect(
      try CommandLineReader.command(from: ["validate", "--schema", "a", "b"])
        == .validate(ValidateOptions(schema: ["a", "b"])))
    #expect(
      try CommandLineReader.command(from: ["print", "--schema", "a"])
        == .print(PrintOptions(schema: ["a"], form: .sdl)))
    #expect(
      try CommandLineReader.command(from: ["print", "--introspection", "--schema=a", "--output=b"])
        == .print(PrintOptions(schema: ["a"], form: .introspection, output: "b")))
  }

  @Test func parsesDiffOperandsAndSourceFolders() throws {
    #expect(
      try CommandLineReader.command(from: [
        "diff", "--sources", "A", "old", "--sources=B", "new", "--json",
      ]) == .diff(DiffOptions(old: "old", new: "new", sources: ["A", "B"], printsJSON: true)))
  }

  @Test func parsesStatsAndCompletions() throws {
    #expect(
      try CommandLineReader.command(from: ["stats", "--schema", "a", "--config=b", "--json"])
        == .stats(StatsOptions(schema: ["a"], config: "b", printsJSON: true)))
    #expect(try CommandLineReader.command(from: ["completions", "zsh"]) == .completions(.zsh))
  }

  @Test(arguments: [
    (["--help"], Command.help(nil)), (["-h"], .help(nil)), (["help", "print"], .help(.print)),
    (["generate", "--help"], .help(.generate)), (["validate", "-h"], .help(.validate)),
    (["--version"], .version),
  ])
  func parsesHelpAndVersion(arguments: [String], command: Command) throws {
    #expect(try CommandLineReader.command(from: arguments) == command)
  }

  @Test(arguments: [
    ([], "A subcommand is required: init, generate, check, validate, print, diff"),
    (["genrate"], #"Did you mean "generate"?"#),
    (["generate", "--chek"], #"generate has no option "--chek". Did you mean "check"?"#),
    (["generate", "--dryrun"], #"Did you mean "dry-run"?"#),
    (["print", "--check"], #"print has no option "--check"."#),
    (["init", "--schem", "a"], #"init has no option "--schem". Did you mean "schema"?"#),
    (["download-schema", "--heder=A: b"], #"download-schema has no option "--heder". Did you"#),
    (["init", "--t0ken"], "init does not have one of the options."),
    (["init", "-token"], "init does not have one of the options."),
    (["generate", "schema.json"], #""schema.json" does not belong to an option."#),
    (["generate", "--output"], "--output requires a value: PATH."),
    (["generate", "--output", "--check"], "--output requires a value: PATH."),
    (["generate", "--output="], "--output requires a value: PATH."),
    (["generate", "--schema"], "--schema requires a value: FILE…."),
    (["generate", "--output", "a", "--output", "b"], "--output is given twice."),
    (["generate", "--check=yes"], "--check does not take a value."),
    (["generate", "--check", "--dry-run"], "--check and --dry-run cannot be used together."),
    (["print", "--schema", "a", "--sdl", "--introspection"], "cannot be used together."),
    (["diff"], "OLD is required."),
    (["diff", "old"], "NEW is required."),
    (["diff", "old", "new", "newer"], #""newer" does not belong to an option."#),
    (["diff", "old", "new", "--sources"], "--sources requires a value: DIR."),
    (["validate"], "--schema FILE is required."),
    (["generate", "--\u{1B}[2J"], #"\u{1B}"#),
  ])
  func reportsInvalidArguments(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) {
      try CommandLineReader.command(from: arguments)
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
