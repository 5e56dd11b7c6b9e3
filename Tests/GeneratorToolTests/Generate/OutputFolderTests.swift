import Foundation
import TestSupport
import Testing

@testable import graphql_generator

@Suite("Output that cannot be written leaves everything as it was")
struct OutputFolderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func rejectsFileAsOutputFolder() throws {
    try folder.write("mine", to: "Generated")
    let run = try folder.generate(smallSchema)
    #expect(run.status == .problems)
    #expect(run.error.contains("Generated: This is a file where a folder is needed."))
    #expect(try folder.text("Generated") == "mine")
  }

  @Test func rejectsOutputFolderBelowFile() throws {
    let file = try folder.write("mine", to: "file")
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let run = ToolRun("generate", "--schema", schema, "--output", "\(file)/Generated")
    #expect(run.status == .problems)
    #expect(
      run.error.contains(
        "It cannot be written: there is a file where a folder is needed."),
      "\(run.error)")
  }

  @Test func createsIntermediateFolders() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let run = ToolRun("generate", "--schema", schema, "--output", folder.path("a/b/c"))
    #expect(run.status == .success, "\(run.error)")
    #expect(folder.names(in: "a/b/c") == defaultFileNames)
  }

  @Test(.disabled(if: geteuid() == 0, "permissions do not bind the superuser"))
  func reportsFolderWithoutWritePermission() throws {
    _ = try folder.generate(smallSchema)
    let output = folder.path("Generated")
    chmod(output, 0o555)
    defer { chmod(output, 0o755) }
    let run = try folder.generate(smallSchema.replacing("NOVEL", with: "COMIC"))
    #expect(run.status == .problems)
    #expect(run.error.contains("permission denied"))
    #expect(try folder.text("Generated/API.Enums.swift").contains("novel"))
  }

  @Test func failedWriteLeavesNoTemporaryFile() throws {
    let files = FileAccess()
    let output = folder.path("Generated")
    try folder.write("old", to: "Generated/a.swift")
    try folder.write("stale", to: "Generated/b.swift")
    let error = #expect(throws: FileError.self) {
      try files.replace(
        [
          OutputFile(name: "a.swift", bytes: Array("new".utf8)),
          OutputFile(name: "no/such/folder.swift", bytes: []),
        ], removing: ["b.swift"], in: output)
    }
    #expect(
      error
        == .unwritable(
          path: "\(output)/no/such/folder.swift", reason: "there is no such file or folder"))
    #expect(folder.names(in: "Generated") == ["a.swift", "b.swift"])
    #expect(try folder.text("Generated/a.swift") == "old")
  }

  @Test func failedWriteCreatesNoFolder() throws {
    #expect(throws: FileError.self) {
      try FileAccess().replace(
        [OutputFile(name: "no/such/folder.swift", bytes: [])], in: folder.path("New/Folder"))
    }
    #expect(folder.names(in: "").isEmpty)
  }

  /// Replacing a device would break the machine for all users.
  @Test func neverReplacesNonRegularFiles() throws {
    let pipe = folder.path("pipe.swift")
    #expect(mkfifo(pipe, 0o600) == 0)
    let print = ToolRun("print", "--schema", RepositorySchemas.sdl, "--output", pipe)
    #expect(print.status == .problems)
    #expect(print.error.contains("pipe.swift: This is not a regular file."))
    #expect(FileAccess().kind(of: pipe) == .other)

    try folder.write("", to: "Generated/notes.txt")
    #expect(mkfifo(folder.path("Generated/API.swift"), 0o600) == 0)
    let generate = try folder.generate(smallSchema)
    #expect(generate.status == .problems)
    #expect(folder.names(in: "Generated") == ["API.swift", "notes.txt"])
    #expect(FileAccess().kind(of: folder.path("Generated/API.swift")) == .other)
  }

  @Test func pipeInOutputFolderDoesNotBlock() throws {
    try folder.write("", to: "Generated/notes.txt")
    #expect(mkfifo(folder.path("Generated/Own.swift"), 0o600) == 0)
    #expect(try folder.generate(smallSchema).status == .success)
    #expect(folder.exists("Generated/Own.swift"))
  }

  @Test func reportsFolderNamedLikeGeneratedFile() throws {
    try folder.write("", to: "Generated/API.swift/inner")
    let run = try folder.generate(smallSchema)
    #expect(run.status == .problems)
    #expect(run.error.contains("Generated/API.swift: This is a folder where a file is needed."))
    #expect(folder.names(in: "Generated") == ["API.swift"])
  }
}
