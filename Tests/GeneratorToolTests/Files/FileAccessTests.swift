import Foundation
import TestSupport
import Testing

@testable import graphql_generator

/// `FileAccess` names at its functions what Foundation does in another way.
@Suite("Access to files, where Foundation alone is not enough")
struct FileAccessTests {
  let folder: TemporaryFolder
  let files = FileAccess()

  init() throws { folder = try TemporaryFolder() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: folder.path(target))
  }

  @Test func linkHasKindOfItsTarget() throws {
    try folder.write("", to: "real/file")
    for (name, target) in [("file", "real/file"), ("folder", "real"), ("nothing", "none")] {
      try link(name, to: target)
    }
    #expect(files.kind(of: folder.path("file")) == .file)
    #expect(files.kind(of: folder.path("folder")) == .folder)
    #expect(files.kind(of: folder.path("folder/../real/file")) == .file)
    #expect(files.kind(of: folder.path("nothing")) == .nothing)
    #expect(files.kind(of: "/dev/null") == .other)
  }

  @Test func rejectsEndlessFileAsTooLarge() {
    #expect(throws: FileError.tooLarge(path: "/dev/zero")) { try files.read("/dev/zero") }
  }

  @Test func readsAndComparesEmptyFile() throws {
    let path = try folder.write("", to: "empty")
    #expect(try files.read(path).isEmpty)
    #expect(!files.file(path, beginsWith: "line"))
    try folder.write("line\nmore", to: "empty")
    #expect(files.file(path, beginsWith: "line"))
  }

  /// The whole file is new for each reader, so a link is replaced, not its file.
  @Test func writingReplacesFileOrLinkAtomically() throws {
    try folder.write("old", to: "file")
    try link("link", to: "file")
    let reader = try FileHandle(forReadingFrom: URL(filePath: folder.path("file")))
    for name in ["link", "file", "new/folder/file"] {
      try files.write(Array("new".utf8), to: folder.path(name))
      #expect(try folder.text(name) == "new")
      if name == "link" { #expect(try folder.text("file") == "old") }
    }
    #expect(try reader.readToEnd() == Data("old".utf8))
    #expect(folder.names(in: "") == ["file", "link", "new"])
  }

  /// New files and folders have the permissions that the user's mask leaves.
  @Test func newFilesHaveDefaultPermissions() throws {
    func permissions(_ name: String) throws -> Int? {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    try folder.write("", to: "usual/file")
    try files.write([], to: folder.path("new/file"))
    #expect(try permissions("new/file") == permissions("usual/file"))
    #expect(try permissions("new") == permissions("usual"))
  }

  @Test func linksToFoldersAreFollowedOnce() throws {
    for name in ["a.graphql", "in/b.graphql", "in/.hidden/c.graphql", "other/d.graphql"] {
      try folder.write("", to: "root/\(name)")
    }
    try folder.write("", to: "outside/e.graphql")
    for (name, target) in [("up", "root"), ("in/up", "root"), ("in/out", "outside")] {
      try link("root/\(name)", to: target)
    }
    #expect(
      try files.files(below: folder.path("root"), ending: ".graphql")
        == ["a.graphql", "in/b.graphql", "in/out/e.graphql", "other/d.graphql"].map {
          folder.path("root/\($0)")
        })
  }

  @Test func tildeIsNotExpanded() throws {
    #expect(files.url("~/file").path == FileManager.default.currentDirectoryPath + "/~/file")
    #expect(files.url("a/~").relativePath == "a/~")
  }

  @Test func errorsContainSystemReason() throws {
    let name = folder.path(String(repeating: "x", count: 300))
    #expect(throws: FileError.unwritable(path: name, reason: "File name too long")) {
      try files.write([], to: name)
    }
    let file = try folder.write("", to: "file")
    #expect(
      throws: FileError.unwritable(
        path: "\(file)/new", reason: "there is a file where a folder is needed")
    ) { try files.replace([], in: "\(file)/new") }
    #expect(
      throws: FileError.unwritable(
        path: folder.path("none"), reason: "there is no such file or folder")
    ) { try files.move(folder.path("missing"), over: folder.path("none")) }
  }

  /// A process that was killed leaves its temporary folder. Another one may still use a new folder.
  @Test func removesAbandonedTemporaryFolders() throws {
    for name in ["old", "new"] { try folder.write("", to: ".graphql-generator-\(name)/file") }
    try folder.write("", to: "mine/file")
    for name in [".graphql-generator-old", "mine"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder.path(name))
    }
    try files.write([], to: folder.path("file"))
    #expect(folder.names(in: ".") == [".graphql-generator-new", "file", "mine"])
    // Before the folder of a file existed, the temporary folder was next to it.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)],
      ofItemAtPath: folder.path(".graphql-generator-new"))
    try files.write([], to: folder.path("mine/file"))
    #expect(folder.names(in: ".") == ["file", "mine"])
  }

  /// Another process may have put something into it.
  @Test func removesOnlyEmptyFolders() throws {
    try folder.write("mine", to: "a/mine")
    try FileManager.default.createDirectory(
      atPath: folder.path("b"), withIntermediateDirectories: false)
    for name in ["a", "b", "none"] { files.removeIfEmpty(folder.path(name)) }
    #expect(folder.names(in: "") == ["a"])
    #expect(try folder.text("a/mine") == "mine")
  }
}
