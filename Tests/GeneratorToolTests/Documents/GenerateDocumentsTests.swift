import TestSupport
import Testing

@testable import graphql_generator

@Suite("generate writes a file for each document")
struct GenerateDocumentsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["schema.graphqls": smallSchema]) }

  private func generate(_ arguments: String...) -> ToolRun { folder.generate(arguments) }

  private var query: String { "query Shelf($id: ID!) { book(id: $id) { ...Card } }" }
  private var card: String { "fragment Card on Book { id title }" }

  @Test func documentsAreGeneratedWithTheSchema() throws {
    try folder.write(query, to: "Documents/Shelf.graphql")
    try folder.write(card, to: "Documents/Views/Card.graphql")
    let run = generate("--documents", folder.path("Documents"))
    #expect(run.status == .success)
    #expect(run.error.isEmpty)
    #expect(
      folder.names(in: "Generated")
        == (defaultFileNames + ["Card.graphql.swift", "Shelf.graphql.swift"]).sorted())
    #expect(try folder.text("Generated/Shelf.graphql.swift").contains("struct ShelfQuery"))
    #expect(try folder.text("Generated/Card.graphql.swift").contains("struct Card"))
  }

  @Test func onlyDocumentsAreGeneratedForAPlugin() throws {
    let path = try folder.write("query Genres { genres }", to: "Genres.graphql")
    let run = generate("--documents-only", "--documents", path, "--file-names", "Other.swift")
    #expect(run.status == .success)
    #expect(folder.names(in: "Generated") == ["Other.swift"])
  }

  @Test func theNumberOfFileNamesIsChecked() throws {
    let path = try folder.write("query Genres { genres }", to: "Genres.graphql")
    let run = generate(
      "--documents-only", "--documents", path, "--file-names", "A.swift", "B.swift")
    #expect(run.status == .problems)
    #expect(run.error.contains("--file-names requires 1 file names for these documents."))
  }

  @Test func typesOfAnotherModuleAreQualified() throws {
    let path = try folder.write("query Genres { genres }", to: "Genres.graphql")
    let run = generate(
      "--schema-module", "BookAPI", "--documents", path, "--config",
      try folder.write(#"{ "namespace": "Books" }"#, to: "graphql-generator.json"))
    #expect(run.status == .success)
    let text = try folder.text("Generated/Genres.graphql.swift")
    #expect(text.contains("import BookAPI"))
    #expect(text.contains("Books.Genre"))
  }

  @Test func fragmentsOfOtherModulesAreUsed() throws {
    let card = try folder.write(card, to: "UI/Card.graphql")
    let path = try folder.write(query, to: "Shelf.graphql")
    let run = generate("--documents-only", "--documents", path, "--imported", "ShopUI=\(card)")
    #expect(run.status == .success)
    let text = try folder.text("Generated/Shelf.graphql.swift")
    #expect(text.contains("import ShopUI"))
    #expect(text.contains("ShopUI.Card"))
    #expect(folder.names(in: "Generated") == ["Shelf.graphql.swift"])
  }

  /// The configuration is read when the tool runs, so that an edit of it has an effect in the next build.
  @Test(arguments: ["internal", "package", "public"])
  func fragmentsOfModulesWithInternalTypesAreNotUsed(access: String) throws {
    let card = try folder.write(card, to: "UI/Card.graphql")
    let config = try folder.write(
      #"{ "access": "\#(access)", "operations": { "namespace": "Shop" } }"#, to: "UI/own.json")
    let path = try folder.write(query, to: "Shelf.graphql")
    let run = generate(
      "--documents-only", "--documents", path, "--imported", "ShopUI.Shop=\(card)",
      "--imported-config", "ShopUI.Shop=\(config)")
    // Types with `package` access cannot be those of public properties.
    #expect(run.status == (access == "public" ? .success : .problems))
    #expect(run.error.contains("Unknown fragment \"Card\"") == (access == "internal"))
  }

  @Test(arguments: ["internal", "package", "public"])
  func fragmentsOfOtherPackagesAreUsedIfTheyArePublic(access: String) throws {
    let card = try folder.write(card, to: "UI/Card.graphql")
    let config = try folder.write(#"{ "access": "\#(access)" }"#, to: "UI/own.json")
    let path = try folder.write(query, to: "Shelf.graphql")
    let run = generate(
      "--documents-only", "--documents", path, "--imported", "ShopUI=\(card)",
      "--other-package-config", "ShopUI=\(config)")
    #expect(run.status == (access == "public" ? .success : .problems))
    #expect(run.error.contains("Unknown fragment \"Card\"") == (access != "public"))
  }

  @Test func aDocumentWithErrorsHasAnEmptyFileAndOthersTheirCode() throws {
    try folder.write("query Shelf { book(id: 1) { tilte } }", to: "Documents/Shelf.graphql")
    try folder.write("query Genres { genres }", to: "Documents/Genres.graphql")
    let run = generate("--documents-only", "--documents", folder.path("Documents"))
    #expect(run.status == .problems)
    #expect(run.error.hasPrefix("\(folder.path("Documents/Shelf.graphql")):1:29: error: "))
    #expect(run.error.contains("Did you mean \"title\"?"))
    let text = try folder.text("Generated/Shelf.graphql.swift")
    #expect(text.contains("// The document has errors."))
    #expect(!text.contains("struct"))
    #expect(try folder.text("Generated/Genres.graphql.swift").contains("struct GenresQuery"))
  }

  @Test func allErrorsAreReportedAtOnce() throws {
    try folder.write("query A { nothing }", to: "Documents/A.graphql")
    try folder.write("query B { book(id: 1) {", to: "Documents/B.graphql")
    try folder.write("query C { genres }\ntype Mixed { a: Int }", to: "Documents/C.graphql")
    let run = generate("--documents-only", "--documents", folder.path("Documents"))
    #expect(run.status == .problems)
    #expect(
      run.error.contains("= Documents have operations and fragments only; move it to the schema."))
    for place in ["A.graphql:1:11: error: ", "B.graphql:1:24: error: ", "C.graphql:2:"] {
      #expect(run.error.contains(folder.path("Documents/") + place))
    }
  }

  @Test func aFileThatBecameASchemaIsRefused() throws {
    let path = try folder.write("type Extra { a: Int }", to: "Extra.graphql")
    let run = generate("--documents-only", "--documents", path)
    #expect(run.status == .problems)
    #expect(run.error.contains("\(path):1:1: error: This is a schema, but operations"))
    #expect(run.error.contains("touch Package.swift"))
  }

  @Test func aSchemaThatBecameADocumentIsRefused() throws {
    let path = try folder.write("query Genres { genres }", to: "Genres.graphql")
    let run = generate(
      "--schema", path, "--file-names", "A.swift", "B.swift", "C.swift", "D.swift", "E.swift")
    #expect(run.status == .problems)
    #expect(run.error.contains("\(path):1:1: error: This is a document, but a schema"))
    #expect(run.error.contains("touch Package.swift"))
    let unplanned = generate("--schema", path)
    #expect(unplanned.status == .problems)
    #expect(!unplanned.error.contains("touch Package.swift"))
  }

  @Test func unchangedFilesKeepTheirTimes() throws {
    try folder.write("query Genres { genres }", to: "Documents/Genres.graphql")
    let shelf = "query Shelf { book(id: 1) { title } }"
    try folder.write(shelf, to: "Documents/Shelf.graphql")
    #expect(generate("--documents", folder.path("Documents")).status == .success)
    let names = folder.names(in: "Generated")
    let stamps = try names.map { try folder.stamp("Generated/\($0)") }
    try folder.write("query Shelf { book(id: 1) { id title } }", to: "Documents/Shelf.graphql")
    #expect(generate("--documents", folder.path("Documents")).status == .success)
    for (name, stamp) in zip(names, stamps) {
      #expect(try (folder.stamp("Generated/\(name)") != stamp) == (name == "Shelf.graphql.swift"))
    }
  }

  @Test func theConfigurationNamesDocuments() throws {
    let operations = #""operations": { "documents": ["Shared", "One.graphql"] }"#
    try folder.write("{ \(operations) }", to: "graphql-generator.json")
    try folder.write("query Genres { genres }", to: "Shared/Genres.graphql")
    try folder.write("query One { genres }", to: "One.graphql")
    try folder.write("query Other { genres }", to: "Other.graphql")
    let run = generate()
    #expect(run.status == .success)
    #expect(
      folder.names(in: "Generated")
        == (defaultFileNames + ["Genres.graphql.swift", "One.graphql.swift"]).sorted())
  }

  @Test func aChangedPlanIsRefused() throws {
    let path = try folder.write("query Genres { genres }", to: "Genres.graphql")
    let config = try folder.write(
      #"{ "operations": { "namespace": "Shop", "documents": ["More"] } }"#, to: "own.json")
    func run(_ planned: String) -> ToolRun {
      generate(
        "--documents-only", "--documents", path, "--document-config", config,
        "--planned-documents", planned)
    }
    #expect(
      run(#"documents: ["More"], namespace: Shop, schemaModule: -"#).status == .success)
    let changed = run("documents: [], namespace: -, schemaModule: -")
    #expect(changed.status == .problems)
    #expect(changed.error.contains("\(config):1:1: error: This file has other documents"))
  }

  /// In the plugin's folder, nothing else would remove it.
  @Test func aManifestThatIsNoLongerConfiguredIsRemoved() throws {
    let path = try folder.write("query Genres { genres }", to: "Genres.graphql")
    func run(_ operations: String) throws {
      let config = try folder.write(#"{ "operations": {\#(operations)} }"#, to: "own.json")
      let run = generate(
        "--documents-only", "--documents", path, "--document-config", config,
        "--planned-documents", "documents: [], namespace: -, schemaModule: -")
      #expect(run.status == .success, "\(run.error)")
    }
    try run(#""manifest": "relay""#)
    #expect(folder.names(in: "Generated").contains("operations.json"))
    try run("")
    #expect(!folder.names(in: "Generated").contains("operations.json"))
    try folder.write("{\"a\": \"b\"}", to: "Generated/operations.json")
    try run("")
    #expect(try folder.text("Generated/operations.json") == "{\"a\": \"b\"}")
  }

  /// SwiftPM does not call the plugin again because of a file outside of the target's folder.
  @Test func aNewDocumentInANamedFolderIsRefused() throws {
    let path = try folder.write("query Genres { genres }", to: "Shared/Genres.graphql")
    let config = try folder.write(
      #"{ "operations": { "documents": ["Shared"] } }"#, to: "own.json")
    func run() -> ToolRun {
      generate(
        "--documents-only", "--documents", path, "--document-config", config,
        "--planned-documents", #"documents: ["Shared"], namespace: -, schemaModule: -"#)
    }
    #expect(run().status == .success)
    try folder.write("type Extra { a: Int }", to: "Shared/Extra.graphql")
    try folder.write("notes", to: "Shared/Notes.txt")
    #expect(run().status == .success)
    let new = try folder.write("query New { genres }", to: "Shared/More/New.graphql")
    let refused = run()
    #expect(refused.status == .problems)
    #expect(
      refused.error.contains(
        "\(config):1:1: error: \(new) is in a folder that this file names, and was not there when"),
      "\(refused.error)")
    #expect(refused.error.contains("touch Package.swift"))
  }

  @Test func theNamespaceOfATargetWithItsOwnConfigurationIsChecked() throws {
    let path = try folder.write("query Genres { genres }", to: "Genres.graphql")
    func run(_ namespace: String) throws -> ToolRun {
      let config = try folder.write(
        #"{ "operations": { "namespace": "\#(namespace)" } }"#, to: "own.json")
      return generate(
        "--module", "BookUI", "--schema-module", "BookAPI", "--documents", path,
        "--document-config", config)
    }
    #expect(try run("Books").status == .success)
    for (namespace, message) in [
      ("API", "The operations need another namespace than the types of the schema"),
      ("BookUI", #"The operations need another namespace than "BookUI", which is the name of"#),
      ("BookAPI", #"The operations need another namespace than "BookAPI", which is the name of"#),
    ] {
      let refused = try run(namespace)
      #expect(refused.status == .problems)
      #expect(
        refused.error.contains("\(folder.path("own.json")):1:32: error: \(message)"),
        "\(refused.error)")
    }
  }

  @Test func notesAreThoseOfCheck() throws {
    let path = try folder.write("query Book { book(id: 1) { title } }", to: "Book.graphql")
    let run = generate("--documents-only", "--documents", path)
    #expect(run.status == .success)
    #expect(run.error.isEmpty)
    let check = ToolRun("check", "--schema", folder.path("schema.graphqls"), "--documents", path)
    #expect(check.error.contains("[AddedKey]"))
  }

  @Test func checkModeListsDocumentsThatAreOutOfDate() throws {
    try folder.write("query Genres { genres }", to: "Documents/Genres.graphql")
    let documents = folder.path("Documents")
    #expect(generate("--documents", documents).status == .success)
    #expect(generate("--documents", documents, "--check").status == .success)
    try folder.write(
      "query Genres { genres } query More { genres }", to: "Documents/Genres.graphql")
    let run = generate("--documents", documents, "--check")
    #expect(run.status == .problems)
    #expect(run.output.contains("differs: \(folder.path("Generated/Genres.graphql.swift"))"))
  }
}
