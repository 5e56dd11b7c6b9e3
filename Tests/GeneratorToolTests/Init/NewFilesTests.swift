import Foundation
import TestSupport
import Testing

@testable import graphql_generator

@Suite("New files appear together or not at all")
struct NewFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ last: String) -> NewFiles {
    NewFiles(
      root: folder.path("new/root"),
      folders: [
        ("Sources/A", [OutputFile(name: "a", bytes: [1]), OutputFile(name: "b", bytes: [2])]),
        ("Sources/B", [OutputFile(name: "c", bytes: [3])]),
      ], files: [OutputFile(name: "c", bytes: [4]), OutputFile(name: last, bytes: [5])])
  }

  @Test func createsAllFiles() throws {
    try files("d").create(FileAccess())
    #expect(folder.names(in: "new/root") == ["Sources", "c", "d"])
    #expect(folder.names(in: "new/root/Sources") == ["A", "B"])
    #expect(folder.names(in: "new/root/Sources/A") == ["a", "b"])
    #expect(try folder.text("new/root/Sources/B/c") == "\u{3}")
    #expect(
      files("d").paths.map { $0.replacing(folder.path, with: "") } == [
        "/new/root/Sources/A/a", "/new/root/Sources/A/b", "/new/root/Sources/B/c", "/new/root/c",
        "/new/root/d",
      ])
  }

  /// The last step fails, when the folders have already been moved: at the place of the file is a
  /// link, which must not be replaced although there is no file to which it leads.
  @Test func errorInLastStepRemovesAllNewFiles() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("new/root"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("new/root/d"), withDestinationPath: "none")
    #expect(throws: FileError.exists(path: folder.path("new/root/d"))) {
      try files("d").create(FileAccess())
    }
    #expect(folder.names(in: "new/root") == ["d"])
  }

  @Test func reportsPathOfUnwritableFile() throws {
    let error = #expect(throws: FileError.self) { try files("no/d").create(FileAccess()) }
    #expect(
      error
        == .unwritable(
          path: folder.path("new/root/no/d"), reason: "there is no such file or folder"))
    #expect(!folder.exists("new"))
  }

  /// In the current folder, a path has no folder in front of it.
  @Test func reportsRelativePathInCurrentFolder() {
    let files = NewFiles(
      root: ".", folders: [], files: [OutputFile(name: "no-such-folder/d", bytes: [])])
    #expect(
      throws: FileError.unwritable(
        path: "no-such-folder/d", reason: "there is no such file or folder")
    ) { try files.create(FileAccess()) }
  }

  @Test func errorKeepsExistingFiles() throws {
    try folder.write("mine", to: "new/root/Sources/C/mine")
    #expect(throws: FileError.self) { try files("no/d").create(FileAccess()) }
    #expect(folder.names(in: "new/root") == ["Sources"])
    #expect(folder.names(in: "new/root/Sources") == ["C"])
    #expect(try folder.text("new/root/Sources/C/mine") == "mine")
  }

  /// A file name that is too long fails while the files are written.
  @Test func writeErrorRemovesOtherNewFiles() throws {
    let name = String(repeating: "x", count: 300)
    let files = NewFiles(
      root: folder.path("root"),
      folders: [("A", [OutputFile(name: "a", bytes: []), OutputFile(name: name, bytes: [])])],
      files: [])
    #expect(throws: FileError.self) { try files.create(FileAccess()) }
    #expect(!folder.exists("root"))
  }
}
