import TestSupport
import Testing

@testable import graphql_generator

@Suite("The types of documents have at most the access of the schema's types")
struct DocumentAccessTests {
  let folder: TemporaryFolder
  private let query: String

  init() throws {
    folder = try TemporaryFolder(["schema.graphqls": smallSchema])
    query = try folder.write("query Genres { genres }", to: "Genres.graphql")
  }

  /// - Parameters:
  ///   - schema: the `access` of the schema's configuration.
  ///   - documents: the contents of the documents' own one, if there is one.
  private func generate(
    schema: String, documents: String?, module: String? = "BookAPI", _ more: String...
  ) throws -> ToolRun {
    let config = try folder.write("{\n  \"access\": \"\(schema)\"\n}", to: "api.json")
    var arguments = ["--config", config, "--documents", query]
    arguments += module.map { ["--schema-module", $0] } ?? ["--documents-only"]
    if let documents {
      arguments += ["--document-config", try folder.write(documents, to: "own.json")]
    }
    return folder.generate(arguments + more)
  }

  @Test(arguments: [
    ("package", "public", true), ("package", "package", false), ("package", "internal", false),
    ("public", "public", false),
  ])
  func aWiderAccessIsAnError(schema: String, documents: String, isError: Bool) throws {
    for module in [nil, "BookAPI"] {
      let run = try generate(
        schema: schema, documents: "{\n  \"access\": \"\(documents)\"\n}", module: module)
      #expect(run.status == (isError ? .problems : .success), "\(run.error)")
      guard isError else { continue }
      #expect(
        run.error.hasPrefix(
          "\(folder.path("own.json")):2:13: error: The types of the documents cannot be public, "
            + "since those of the schema are package: "), "\(run.error)")
      #expect(run.error.contains("= Remove `access` here, or change it there."))
    }
  }

  @Test func withoutOneTheyHaveThatOfTheSchema() throws {
    let own = #"{ "operations": { "namespace": "Ops" } }"#
    #expect(try generate(schema: "package", documents: own).status == .success)
    let text = try folder.text("Generated/Genres.graphql.swift")
    #expect(text.contains("package struct GenresQuery"))
    #expect(!text.contains("public "))
  }

  @Test(arguments: [nil, #"{ "access": "internal" }"#])
  func typesThatAnotherModuleCannotNameAreAnError(documents: String?) throws {
    let run = try generate(schema: "internal", documents: documents)
    #expect(run.status == .problems)
    #expect(
      run.error.hasPrefix(
        "\(folder.path("api.json")):2:13: error: The types of the schema are internal, "),
      "\(run.error)")
    #expect(try generate(schema: "internal", documents: documents, module: nil).status == .success)
  }

  /// The fragments of a module without an `access` of its own have that of the schema.
  @Test(arguments: ["public", "package"])
  func fragmentsOfOtherPackagesNeedPublicTypes(schema: String) throws {
    try folder.write("query Shelf { book(id: 1) { ...Card } }", to: "Genres.graphql")
    let card = try folder.write("fragment Card on Book { id title }", to: "UI/Card.graphql")
    let config = try folder.write("{}", to: "UI/own.json")
    let run = try generate(
      schema: schema, documents: nil, "--imported", "ShopUI=\(card)", "--other-package-config",
      "ShopUI=\(config)")
    #expect(run.error.contains("Unknown fragment \"Card\"") == (schema == "package"))
  }

  /// A public struct cannot have a property of a type with `package` access.
  @Test(arguments: [(nil, true), ("public", true), ("package", false), ("internal", false)])
  func publicTypesHaveNoFragmentsWithPackageAccess(own: String?, isError: Bool) throws {
    try folder.write("query Shelf {\n  book(id: 1) { ...Card }\n}", to: "Genres.graphql")
    let card = try folder.write("fragment Card on Book { id title }", to: "UI/Card.graphql")
    let config = try folder.write(#"{ "access": "package" }"#, to: "UI/own.json")
    let run = try generate(
      schema: "public", documents: own.map { "{ \"access\": \"\($0)\" }" }, "--imported",
      "ShopUI=\(card)", "--imported-config", "ShopUI=\(config)")
    #expect(run.status == (isError ? .problems : .success), "\(run.error)")
    guard isError else { return }
    #expect(
      run.error.hasPrefix(
        "\(query):2:20: error: The types of these documents are public, but those of the module \"ShopUI\", "
          + "with the fragment \"Card\", are package"), "\(run.error)")
  }
}
