import Foundation
import TestSupport
import Testing

@testable import graphql_generator

@Suite("diff")
struct DiffTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let old = """
    type Query { book(id: ID!, first: Int): Book shelf: Shelf! find(by: Key): Item count: Int }
    type Mutation { add(book: NewBook!): Book }
    type Book { id: ID! title: String! }
    type Shelf { id: ID! title: String! }
    union Item = Book | Shelf
    enum Genre { NOVEL POETRY_AND_SONG }
    input NewBook { title: String genre: Genre }
    input Key { id: ID }
    directive @cached(ttl: Int) on FIELD
    """

  private func diff(_ new: String, _ options: String...) throws -> ToolRun {
    let old = try folder.write(old, to: "old.graphqls")
    let new = try folder.write(new, to: "new.graphqls")
    return ToolRun(["diff", old, new] + options)
  }

  private func replacing(_ text: String, _ replacement: String) -> String {
    precondition(old.contains(text))
    return old.replacing(text, with: replacement)
  }

  @Test func reportsNoChangesForEqualSchemas() throws {
    let run = try diff(old)
    #expect(run.status == .success)
    #expect(run.output == "0 breaking, 0 dangerous, 0 safe changes\n")
    #expect(run.error.isEmpty)
  }

  @Test func changesAreListedBySeverityAndCoordinate() throws {
    let run = try diff(
      replacing("enum Genre { NOVEL", "enum Genre { EPIC").replacing(
        "count: Int", with: "count: Int!"))
    #expect(run.status == .problems)
    #expect(
      run.output == """
        Breaking changes:
          Genre.NOVEL: The value was removed.

        Dangerous changes:
          Genre.EPIC: The value was added; programs must handle it.

        Safe changes:
          Query.count: Its type was changed from Int to Int!.

        1 breaking, 1 dangerous, 1 safe changes

        """)
  }

  @Test func statusIsSuccessWithoutBreakingChanges() throws {
    let run = try diff(replacing("enum Genre { NOVEL", "enum Genre { EPIC NOVEL"))
    #expect(run.status == .success)
    #expect(run.output.hasSuffix("0 breaking, 1 dangerous, 0 safe changes\n"))
  }

  @Test func acceptsSDLIntrospectionAndFolders() throws {
    #expect(
      ToolRun("diff", RepositorySchemas.introspection, RepositorySchemas.sdl).output
        .hasPrefix("0 breaking, 0 dangerous"))
    try folder.write("type Query { book: Book }", to: "parts/a.graphqls")
    try folder.write("type Book { id: ID }", to: "parts/b.graphql")
    let whole = try folder.write("type Query { book: Book } type Book { id: ID }", to: "w.graphqls")
    #expect(ToolRun("diff", folder.path("parts"), whole).output.hasPrefix("0 breaking"))
    try folder.write("", to: "none/readme.md")
    let run = ToolRun("diff", folder.path("none"), whole)
    #expect(run.status == .problems)
    #expect(run.error.contains("There are no .graphqls or .graphql files in this folder."))
  }

  @Test func reportsLocationOfSchemaError() throws {
    let run = try diff("type Query { a: Nowhere }")
    #expect(run.status == .problems)
    #expect(run.error.contains("new.graphqls:1:17: error: "))
    #expect(run.output.isEmpty)
  }

  /// One breaking change each, with a line of Swift that it breaks, and one that it does not break.
  @Test(arguments: [
    ("title: String! }\ntype Shelf", "}\ntype Shelf", "print(book.title)", "print(book.subtitle)"),
    (
      "book(id: ID!, first: Int)", "book(id: ID!)", "$0.book(id: id, first: 3)",
      "$0.shelf(first: 3)"
    ),
    ("book(id: ID!, first: Int)", "book(id: ID!)", "r.book(\n  first: 1)", "x.books(first: 1)"),
    ("shelf: Shelf!", "shelf(id: ID!): Shelf!", "$0.shelf { $0.id() }", "$0.book(id: id)"),
    (
      "type Mutation { add(book: NewBook!): Book }\n", "", "API.buildMutation { $0 }",
      "API.buildQuery { $0 }"
    ),
    ("NOVEL POETRY_AND_SONG", "NOVEL", "genre: .poetryAndSong", "genre: .novel"),
    (
      "union Item = Book | Shelf", "union Item = Book", "$0.onShelf { $0.id() }",
      "$0.onBook { $0.id() }"
    ),
    (
      "input Key { id: ID }", "input Key { id: ID at: Int! }", "API.Key(id: id)", "API.Book(id: id)"
    ),
    ("genre: Genre }", "}", "API.NewBook(genre: .novel)", "API.NewBook(title: t)"),
    ("directive @cached(ttl: Int)", "directive @cached", ".cached(ttl: 3)", ".cached()"),
    ("directive @cached(ttl: Int) on FIELD", "", ".cached(ttl: 3)", ".kept(ttl: 3)"),
  ])
  func listsSourceUsesOfBreakingChanges(from: String, to: String, use: String, other: String) throws
  {
    try folder.write("// book.title\n\(use)\n", to: "App/Uses.swift")
    try folder.write("let a = \"title book ttl\"\n\(other)\n", to: "App/Deep/Other.swift")
    let run = try diff(replacing(from, to), "--sources", folder.path("App"))
    #expect(run.status == .problems)
    let line = use.contains("\n") ? 3 : 2
    #expect(
      run.output.contains("\n    \(folder.path("App/Uses.swift")):\(line)\n"), "\(run.output)")
    #expect(!run.output.contains("Uses.swift:1\n"))
    #expect(!run.output.contains("Other.swift"), "\(run.output)")
  }

  /// The configuration next to the older schema determines the names in Swift.
  @Test(arguments: [false, true])
  func findsUsesOfRenamedElements(isNamed: Bool) throws {
    let config = isNamed ? "config.json" : "graphql-generator.json"
    _ = try folder.write(
      #"{ "acronyms": ["url"], "rename": { "Query.created_at": "creationDate" } }"#, to: config)
    let old = try folder.write(
      "type Query { created_at: Int image_url: Int a: Int }", to: "a.graphqls")
    let new = try folder.write("type Query { a: Int }", to: "b.graphqls")
    _ = try folder.write("$0.creationDate()\n$0.imageURL()\n$0.createdAt()\n", to: "App/a.swift")
    let run = ToolRun(
      ["diff", old, new, "--sources", folder.path("App")]
        + (isNamed ? ["--config", folder.path(config)] : []))
    #expect(run.status == .problems, "\(run.error)")
    #expect(run.output.contains("App/a.swift:1") && run.output.contains("App/a.swift:2"))
    #expect(!run.output.contains("App/a.swift:3"))
  }

  @Test func printsChangesAsJSON() throws {
    try folder.write("\n\nprint(book.title)\n", to: "App/Uses.swift")
    let run = try diff(
      replacing("title: String! }\ntype Shelf", "}\ntype Shelf"), "--json", "--sources",
      folder.path("App"))
    #expect(run.status == .problems)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(json["breaking"] as? Int == 1)
    #expect(json["safe"] as? Int == 0)
    let change = try #require((json["changes"] as? [[String: Any]])?.first)
    #expect(change["coordinate"] as? String == "Book.title")
    #expect(change["kind"] as? String == "fieldRemoved")
    #expect(change["severity"] as? String == "breaking")
    let uses = try #require(change["uses"] as? [[String: Any]])
    #expect(uses.count == 1)
    #expect(uses.first?["line"] as? Int == 3)
    #expect(uses.first?["file"] as? String == folder.path("App/Uses.swift"))
  }

  @Test func rejectsSourceFolderWithoutSwiftFiles() throws {
    try folder.write("", to: "App/readme.md")
    let run = try diff(old, "--sources", folder.path("App"))
    #expect(run.status == .problems)
    #expect(run.error.contains("This folder contains no Swift sources"))
  }
}
