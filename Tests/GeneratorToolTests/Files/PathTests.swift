import Testing

@testable import graphql_generator

@Suite("Paths stay as the user wrote them")
struct PathTests {
  @Test(arguments: [
    ("file", "", "file"), ("a/b", "a", "b"), ("/b", "/", "b"), ("../a/./b", "../a/.", "b"),
    ("", "", ""),
  ])
  func splitsAndJoinsFolderAndName(path: String, folder: String, name: String) {
    #expect(Path.folder(of: path) == folder)
    #expect(Path.name(of: path) == name)
    #expect(Path.join(folder, name) == path)
  }

  @Test func joiningAbsolutePathIgnoresFolder() {
    #expect(Path.join("a", "/b") == "/b")
    #expect(Path.join("a/", "../b") == "a/../b")
  }
}
