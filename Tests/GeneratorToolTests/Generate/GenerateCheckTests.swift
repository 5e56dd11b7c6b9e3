import GraphQLCodeGen
import TestSupport
import Testing

@testable import graphql_generator

@Suite("generate --check and --dry-run tell, and change nothing")
struct GenerateCheckTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func upToDateModulePassesCheck() throws {
    _ = try folder.generate(smallSchema)
    let run = try folder.generate(smallSchema, "--check")
    #expect(run.status == .success)
    #expect(run.output == "\(folder.path("Generated")) is up to date\n")
    #expect(run.error.isEmpty)
  }

  @Test func missingModuleFailsCheck() throws {
    let run = try folder.generate(smallSchema, "--check")
    #expect(run.status == .problems)
    #expect(run.output.split(separator: "\n").count == 8)
    #expect(run.output.contains("missing: \(folder.path("Generated/API.swift"))\n"))
    #expect(!folder.exists("Generated"))
  }

  @Test func checkAndDryRunListAllDifferences() throws {
    _ = try folder.generate(smallSchema)
    try folder.write(GeneratedFile.header + "\n", to: "Generated/API.Old.swift")
    try folder.write(GeneratedFile.header + "\n// changed\n", to: "Generated/API.Enums.swift")
    FileAccess().remove(folder.path("Generated/API.Inputs.swift"))
    let names = folder.names(in: "Generated")

    let check = try folder.generate(smallSchema, "--check")
    #expect(check.status == .problems)
    #expect(
      check.output == """
        differs: \(folder.path("Generated/API.Enums.swift"))
        missing: \(folder.path("Generated/API.Inputs.swift"))
        stale: \(folder.path("Generated/API.Old.swift"))

        """)
    #expect(check.error.contains("error: \(folder.path("Generated")) is out of date."))

    let dryRun = try folder.generate(smallSchema, "--dry-run")
    #expect(dryRun.status == .success)
    #expect(
      dryRun.output == """
        rewrite: \(folder.path("Generated/API.Enums.swift"))
        write: \(folder.path("Generated/API.Inputs.swift"))
        remove: \(folder.path("Generated/API.Old.swift"))
        2 written, 6 unchanged, 1 removed in \(folder.path("Generated")) (dry run, nothing was done)

        """)
    #expect(folder.names(in: "Generated") == names)
    #expect(try folder.text("Generated/API.Enums.swift").hasSuffix("// changed\n"))
  }

  @Test func aQuietCheckListsDifferencesOnly() throws {
    _ = try folder.generate(smallSchema)
    let fresh = try folder.generate(smallSchema, "--check", "--quiet")
    #expect(fresh.status == .success)
    #expect(fresh.output.isEmpty)
    let stale = try folder.generate(
      smallSchema.replacing("NOVEL", with: "COMIC"), "--check", "--quiet")
    #expect(stale.status == .problems)
    #expect(stale.output.contains("differs: \(folder.path("Generated/API.Enums.swift"))"))
  }
}
