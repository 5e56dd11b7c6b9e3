import TestSupport
import Testing

@testable import graphql_generator

@Suite("check")
struct CheckTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "App/schema.graphqls": """
      type Query {
        book(id: ID!): Book
        books(first: Int, after: String): Books!
        all: [Book!]! @deprecated(reason: "Use books.")
      }
      type Book { id: ID! title: String! subtitle: String author: Author }
      type Author { name: String! born: Int }
      type Books { nodes: [Book!]! pageInfo: PageInfo! }
      type PageInfo { hasNextPage: Boolean! endCursor: String }
      """
    ])
  }

  private func check(_ arguments: String...) -> ToolRun {
    ToolRun(["check", "--schema", folder.path("App/schema.graphqls")] + arguments)
  }

  @Test func documentsInTheFolderOfTheSchemaAreChecked() throws {
    try folder.write("query One { book(id: 1) { title } }", to: "App/One.graphql")
    try folder.write("fragment Card on Book { title }", to: "App/Views/Card.graphql")
    try folder.write("query Two { book(id: 2) { ...Card } }", to: "App/Views/Two.graphql")
    let run = check()
    #expect(run.status == .success)
    #expect(run.output == "2 operations in 3 documents, 0 errors, 0 warnings\n")
  }

  @Test func errorsAndWarningsHaveTheirPlaces() throws {
    let wrong = try folder.write(
      "query Wrong($unused: Int) {\n  book(id: 1) { tilte }\n}", to: "App/Wrong.graphql")
    try folder.write(
      """
      query Shelf($after: String) {
        all { id title }
        books(first: 3, after: $after) { nodes { id title } }
      }
      fragment Lonely on Book { id title }
      """, to: "App/Shelf.graphql")
    let run = check()
    #expect(run.status == .problems)
    for finding in [
      "\(wrong):1:13: error: ", "\(wrong):2:17: error: ",
      #"Shelf.graphql:2:3: warning: "Query.all" is deprecated: Use books. [DeprecatedField]"#,
      #"Shelf.graphql:3:3: warning: "books" selects a page of a connection without "pageInfo""#,
      #"Shelf.graphql:5:10: warning: No document of this module uses the fragment "Lonely"."#,
    ] {
      #expect(run.error.contains(finding), "\(finding)")
    }
    #expect(run.output == "1 operation in 2 documents, 2 errors, 3 warnings\n")
  }

  @Test func fragmentsForOtherModulesAreNotUnused() throws {
    try folder.write(
      "query One { book(id: 1) { id } } fragment Card on Book { id }", to: "App/One.graphql")
    #expect(check().error.contains("[UnusedFragment]"))
    #expect(check().output.hasSuffix("0 errors, 1 warning\n"))
    let run = check("--exported-fragments")
    #expect(run.error.isEmpty)
    #expect(run.output.hasSuffix("0 errors, 0 warnings\n"))
  }

  @Test func fragmentsThatSourcesNameAreUsed() throws {
    try folder.write(
      "query One { book(id: 1) { id } } fragment Card on Book { id } fragment Line on Book { id }",
      to: "App/One.graphql")
    try folder.write("let card = try store.read(Card.self, key: key)?.id", to: "App/App.swift")
    let run = check("--sources", folder.path("App"))
    #expect(!run.error.contains("\"Card\"") && run.error.contains("\"Line\""))
    let generated = ToolRun([
      "generate", "--schema", folder.path("App/schema.graphqls"), "--documents", folder.path("App"),
      "--sources", folder.path("App"), "--output", folder.path("Generated"), "--quiet",
    ])
    #expect(!generated.error.contains("\"Card\"") && generated.error.contains("\"Line\""))
  }

  @Test func printsOperationsAsTheyAreSent() throws {
    try folder.write(
      "# A comment.\nquery Names { book(id: 1) { author { name } } }", to: "App/Names.graphql")
    let run = check("--print")
    #expect(run.status == .success)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("# Names "))
    #expect(lines[0].count == "# Names ".count + 64)
    #expect(lines[1].hasPrefix("query Names{book(id:1){author{name}"))
  }

  @Test func listsFieldsThatNoSourceReads() throws {
    try folder.write(
      """
      query One { book(id: 1) { id heading: title subtitle author { name born } ...Card } }
      """, to: "App/One.graphql")
    try folder.write("fragment Card on Book { title }", to: "App/Card.graphql")
    try folder.write(
      """
      // .subtitle in a comment does not count, nor does a word: let subtitle = 1
      print(data.book?.heading ?? "", data.book!.author!.name, \\Card.title)
      """, to: "App/main.swift")
    let run = check("--sources", folder.path("App"))
    #expect(run.status == .success)
    for finding in [
      #"One.graphql:1:45: warning: This selects "Book.subtitle", and no source reads ".subtitle"."#,
      #"One.graphql:1:68: warning: This selects "Author.born", and no source reads ".born"."#,
      #"One.graphql:1:78: warning: This selects the fragment "Card", and no source reads ".card"."#,
    ] {
      #expect(run.error.contains(finding), "\(finding)")
    }
    #expect(run.output == "1 operation in 2 documents, 0 errors, 3 warnings\n")
  }

  @Test func namesOfTheConfigurationAreThoseThatSourcesRead() throws {
    try folder.write(
      #"{ "rename": { "Book.title": "name" } }"#, to: "App/graphql-generator.json")
    try folder.write("query One { book(id: 1) { id title } }", to: "App/One.graphql")
    try folder.write("print(data.book?.name ?? \"\")", to: "App/main.swift")
    #expect(check("--sources", folder.path("App")).error.isEmpty)
  }

  @Test(arguments: [
    ("URLCard", "urlCard", "{}"), ("Product_Card", "productCard", "{}"),
    ("BookUrl", "bookURL", #"{ "acronyms": ["url"] }"#), ("Title", "title_", "{}"),
  ])
  func fragmentsAreReadByTheNamesOfTheGenerator(
    name: String, property: String, configuration: String
  ) throws {
    try folder.write(configuration, to: "App/graphql-generator.json")
    try folder.write(
      "query One { book(id: 1) { title ...\(name) } } fragment \(name) on Book { title }",
      to: "App/One.graphql")
    try folder.write("print(data.book?.title ?? \"\")", to: "App/main.swift")
    let unread = check("--sources", folder.path("App"))
    #expect(
      unread.error.contains(
        #"This selects the fragment "\#(name)", and no source reads ".\#(property)"."#))
    try folder.write("print(data.book?.title, data.book?.\(property))", to: "App/main.swift")
    #expect(check("--sources", folder.path("App")).output.hasSuffix("0 errors, 0 warnings\n"))
  }

  @Test func fieldsWithASuffixAreFound() throws {
    try folder.write(
      "type Query { thing: Thing } type Thing { init: Int a_b: Int aB: Int more: [Thing!] } ",
      to: "App/schema.graphqls")
    try folder.write(
      "query One { thing { init a_b aB more { ... on Thing { init } } } }", to: "App/One.graphql")
    try folder.write("print(data.thing!.init_, data.aB, data.more)", to: "App/main.swift")
    let run = check("--sources", folder.path("App"))
    #expect(run.error.contains(#"This selects "Thing.aB", and no source reads ".aB_"."#))
    #expect(run.output.hasSuffix("0 errors, 1 warning\n"), "\(run.error)")
  }

  @Test func optionsThatExcludeEachOtherAreRefused() {
    #expect(check("--manifest", "a.json", "--documents", "b").status == .usage)
  }

  @Test func aFileWithDefinitionsOfBothKindsIsAnError() throws {
    let path = try folder.write(
      "type Extra { a: Int } query One { book(id: 1) { title } }", to: "App/One.graphql")
    let run = check()
    #expect(run.status == .problems)
    #expect(
      run.error.contains(
        "\(path):1:1: error: This file has types of a schema, and operations or fragments."))
  }

  @Test(arguments: [
    (#"{ "operations": { "documents": ["App", "lost"] } }"#, 40, "lost"),
    (#"{ "schema": "" }"#, 13, ""), (#"{ "schema": ["App/schema.graphqls", "old"] }"#, 37, "old"),
  ])
  func pathsInTheConfigurationHaveTheirPlaces(text: String, column: Int, name: String) throws {
    let path = try folder.write(text, to: "graphql-generator.json")
    let schema = name == "lost" ? ["--schema", folder.path("App/schema.graphqls")] : []
    let run = ToolRun(["check", "--config", path] + schema)
    #expect(run.status == .problems)
    #expect(run.error.contains("\(path):1:\(column): error: There is no file \"\(name)\"."))
    #expect(run.error.contains("The path is relative to this file."))
  }
}
