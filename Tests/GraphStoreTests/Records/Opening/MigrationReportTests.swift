import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphStore

/// Values that cannot be carried over stay under their old name, and are reported.
@Suite struct MigrationReportTests {
  private let shop: OldShop

  init() throws { shop = OldShop(folder: try TemporaryFolder()) }

  private func write(_ json: String, as type: GraphQL.AbstractResponse.Type) async throws {
    try await shop.open([]).write(json: Array(json.utf8), as: type)
  }

  private func edit(_ sql: String = "", _ edit: (String) -> String = { $0 }) throws {
    let connection = try DatabaseConnection(path: shop.file.path, mode: .writer)
    if !sql.isEmpty { try connection.executeOnce(sql) }
    try connection.rewriteRecords(edit)
  }

  private func records() throws -> [String] {
    try DatabaseConnection(path: shop.file.path, mode: .reader).texts(
      """
      SELECT name || ' ' || key || ' ' || record FROM entity JOIN type ON type.id = entity.type
      ORDER BY name, key
      """)
  }

  private func problems(_ renames: [Graph.SchemaRename]) throws -> [String] {
    try #require(try shop.open(renames).migrationReport).problems.map(\.description)
  }

  @Test func reportsAConflictWithAnExistingFieldValue() async throws {
    try await write(
      #"[{"id":"a","title":"Hat"},{"id":"b","title":"Cap"},{"id":"c","title":"Belt"}]"#,
      as: Storefront.Product.self)
    try edit {
      $0.replacing(#""title":"Hat""#, with: #""name":"Hat","title":"Hood""#)
        .replacing(#""title":"Cap""#, with: #""name":"Cap","title":"Cap""#)
        .replacing(#""title":"Belt""#, with: #""name":"Belt""#)
    }
    let renames = [Graph.SchemaRename.field("Product.name", to: "Product.title")]
    for _ in 0..<2 { #expect(try problems(renames) == ["Product.name: conflict (1)"]) }
    #expect(
      try records() == [
        #"Product a {"__typename":"Product","id":"a","name":"Hat","title":"Hood"}"#,
        #"Product b {"__typename":"Product","id":"b","title":"Cap"}"#,
        #"Product c {"__typename":"Product","id":"c","title":"Belt"}"#,
      ])
    try await shop.open(renames).logout(.everything)
    #expect(try shop.open(renames).migrationReport == nil)
  }

  @Test func mergesARenamedTypeIntoExistingObjects() async throws {
    try await write(
      #"[{"id":"a","title":"Hat","vendor":"V"},{"id":"b","title":"Cap"}]"#,
      as: Storefront.Product.self)
    try edit("UPDATE type SET name = 'Ware'; UPDATE entity SET changed = 5") {
      $0.replacing(#""Product""#, with: #""Ware""#)
    }
    try await write(
      #"[{"id":"a","title":"Hood"},{"id":"b","handle":"cap"}]"#, as: Storefront.Product.self)
    let renames = [Graph.SchemaRename.type("Ware", to: "Product")]
    let expected = [
      #"Product a {"__typename":"Product","id":"a","title":"Hood","vendor":"V"}"#,
      #"Product b {"__typename":"Product","id":"b","handle":"cap","title":"Cap"}"#,
      #"Ware a {"__typename":"Ware","id":"a","title":"Hat","vendor":"V"}"#,
    ]
    for _ in 0..<2 {
      #expect(
        try problems(renames) == ["Ware: typeNotInSchema (1)", "Ware.title: conflict (1)"])
      #expect(try records() == expected)
    }
    // As old as the oldest of its fields.
    #expect(
      try DatabaseConnection(path: shop.file.path, mode: .reader).texts(
        "SELECT changed FROM entity")
        == ["5", "5", "5"])
  }

  @Test func reportsConflictsOfErrorsAndOverlays() async throws {
    try await shop.open([]).write { transaction in
      let overlays = try transaction.createOverlayTables()
      try transaction.register(
        extensionTables: overlays,
        unsentWork:
          "SELECT '' id, entity, '' name, '' state, '' document, '' variables FROM overlay_base")
    }
    let connection = try DatabaseConnection(path: shop.file.path, mode: .writer)
    try connection.executeOnce(
      """
      INSERT INTO field_error VALUES('Ware:a', '["title"]', 'old', ''),
        ('Product:a', '["title"]', 'new', ''), ('Ware:b', '["title"]', 'old', '');
      INSERT INTO overlay_base VALUES('Ware:a', '{"__typename":"Ware","id":"a"}'),
        ('Product:a', '{"__typename":"Product","id":"a"}'),
        ('Ware:b', '{"__typename":"Ware","id":"b"}');
      INSERT INTO overlay_patch VALUES('Ware:a', 1, 'update', '{"title":"old"}'),
        ('Product:a', 1, 'update', '{"title":"new"}'), ('Ware:b', 1, 'update', '{"title":"old"}');
      """)
    #expect(
      try problems([.type("Ware", to: "Product")])
        == ["Ware: conflict (2)", "Ware.title: conflict (1)"])
    #expect(
      try connection.texts("SELECT entity || ' ' || message FROM field_error ORDER BY 1") == [
        "Product:a new", "Product:b old", "Ware:a old",
      ])
    #expect(
      try connection.texts("SELECT entity || ' ' || record FROM overlay_base ORDER BY 1") == [
        #"Product:a {"__typename":"Product","id":"a"}"#,
        #"Product:b {"__typename":"Product","id":"b"}"#,
        #"Ware:a {"__typename":"Ware","id":"a"}"#,
      ])
    #expect(
      try connection.texts("SELECT entity || ' ' || content FROM overlay_patch ORDER BY 1") == [
        #"Product:a {"title":"new"}"#, #"Product:b {"title":"old"}"#, #"Ware:a {"title":"old"}"#,
      ])
  }

  @Test func reportsValuesThatDoNotFitTheNewField() async throws {
    try await write(
      #"[{"id":"a","title":"Hat"},{"id":"b","title":"Cap"}]"#, as: Storefront.Product.self)
    try edit {
      $0.replacing(#""title":"Hat""#, with: #""name":7"#)
        .replacing(#""title":"Cap""#, with: #""name":"Cap","maker":{"&":"Shop:s"}"#)
    }
    let renames: [Graph.SchemaRename] = [
      .field("Product.name", to: "Product.title"),
      .field("Product.maker", to: "Product.sizeChart"),
    ]
    #expect(
      try problems(renames) == ["Product.maker: doesNotFit (1)", "Product.name: doesNotFit (1)"])
    #expect(
      try records() == [
        #"Product a {"__typename":"Product","id":"a","name":7}"#,
        #"Product b {"__typename":"Product","id":"b","title":"Cap","maker":{"&":"Shop:s"}}"#,
      ])
  }

  @Test func reportsRemovedTypesAndDamagedRows() async throws {
    try await write(
      #"[{"id":"a","title":"Hat"},{"id":"b","title":"Cap"}]"#, as: Storefront.Product.self)
    try edit("UPDATE type SET name = 'Ware'") { $0.replacing(#""Product""#, with: #""Ware""#) }
    try DatabaseConnection(path: shop.file.path, mode: .writer).executeOnce(
      "UPDATE entity SET sum = 1 WHERE key = 'a'")
    let before = try records()
    #expect(try problems([]) == ["Ware: typeNotInSchema (2)"])
    #expect(try records() == before)
    #expect(
      try problems([.type("Ware", to: "Product")])
        == ["Ware: damaged (1)", "Ware: typeNotInSchema (1)"])
    #expect(try records().first == #"Product b {"__typename":"Product","id":"b","title":"Cap"}"#)
  }

  @Test func reportsInvalidRenames() async throws {
    try await write(#"{"id":"a","title":"Hat"}"#, as: Storefront.Product.self)
    let before = try records()
    let renames: [Graph.SchemaRename] = [
      .type("Ware", to: "Gone"), .type("Product", to: "Shop"), .type("Buyer", to: "Customer"),
      .field("Product.a", to: "Product.gone"), .field("Product.title", to: "Product.vendor"),
      .field("Product.b", to: "Shop.name"), .field("Product", to: "Product.title"),
      .enumValue("Colour.A", to: "Colour.B"),
    ]
    #expect(
      try problems(renames) == [
        "Buyer: transient", "Colour.A: unknownTarget", "Product: invalid",
        "Product: stillInSchema", "Product.a: unknownTarget", "Product.b: invalid",
        "Product.title: stillInSchema", "Ware: unknownTarget",
      ])
    #expect(try records() == before)
  }

  @Test func reportsQueuedOperationsThatUseTheOldName() async throws {
    try await shop.fill()
    try shop.age()
    try DatabaseConnection(path: shop.file.path, mode: .writer).executeOnce(
      "UPDATE work SET document = 'mutation { a { ... on OldShop { id } } }'")
    #expect(try problems(OldShop.renames) == ["OldShop: queuedOperation (1)"])
    #expect(try shop.contents().contains("work Shop:s"))
  }

  @Test func anUnchangedSchemaHasNoReport() async throws {
    #expect(try shop.open([]).migrationReport == nil)
    #expect(Graph.Store(inMemory: Storefront.schema).migrationReport == nil)
  }

  /// Readers could not find its objects, as a type without a key has none.
  @Test(arguments: [
    "CartUserError", "Mutation", "QueryRoot", "ProductConnection", "PageInfo", "PriceRange",
  ])
  func reportsARenameToATypeWithoutEntities(target: String) async throws {
    try await write(
      #"[{"id":"a","title":"51f3-secret","variants":{"nodes":[]}},{"id":"b"}]"#,
      as: Storefront.Product.self)
    try edit("UPDATE type SET name = replace(name, 'Product', 'Ware')") {
      $0.replacing(#""Product""#, with: #""Ware""#)
        .replacing("Product.variants", with: "Ware.variants")
    }
    let before = try records()
    let renames = [Graph.SchemaRename.type("Ware", to: target)]
    for _ in 0..<2 {
      let problems = try problems(renames)
      #expect(problems.contains("Ware: noObjectType (2)"), "\(problems)")
      #expect(try records() == before)
    }
    let store = try shop.open(renames)
    #expect(try store.counts()[target] == nil)
    let report = try await store.logout()
    #expect(report.deleted.contains { $0.description == "Ware:a" })
    #expect(try records() == [])
  }

  /// The user's data goes wherever an earlier version of the program has put it.
  @Test(arguments: ["Mutation", "QueryRoot", "ProductConnection", "PageInfo", "PriceRange"])
  func aLogoutDeletesRowsOfTypesWithoutEntities(type: String) async throws {
    try await write(#"[{"id":"a","title":"t"}]"#, as: Storefront.Product.self)
    try edit("UPDATE type SET name = '\(type)' WHERE name = 'Product'") {
      $0.replacing(#""Product""#, with: "\"\(type)\"")
    }
    let store = try shop.open([])
    let report = try await store.logout(.sensitive)
    #expect(report.deleted.map(\.description).contains("\(type):a"))
    #expect(try records() == [])
  }
}
