import Foundation
import GraphQLCodeGen
import TestSupport
import Testing

@testable import graphql_generator

@Suite("The sources that use a module")
struct UsageSourcesTests {
  /// `FileManager.enumerator` would not follow the links.
  @Test func findsSwiftFilesBelowFolderAndSymbolicLinks() throws {
    let folder = try TemporaryFolder()
    for name in ["App/a.swift", "App/Deep/b.swift", "App/.build/c.swift", "App/notes.txt"] {
      try folder.write("let one = 1", to: name)
    }
    try folder.write("let one = 1", to: "Elsewhere/d.swift")
    try folder.write("\(GeneratedFile.header)\n", to: "App/Generated.swift")
    for (name, target) in [("App/Linked", "Elsewhere"), ("App/e.swift", "App/notes.txt")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: folder.path(target))
    }
    var paths: [String] = []
    try UsageSources(folders: [folder.path("App")], files: FileAccess()).forEach { path, contents in
      paths.append(path)
      #expect(contents == Array("let one = 1".utf8))
    }
    #expect(
      paths
        == ["a.swift", "Deep/b.swift", "Linked/d.swift", "e.swift"].map { folder.path("App/\($0)") }
        .sorted())
  }
}
