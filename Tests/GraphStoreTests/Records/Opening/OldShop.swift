import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport

@testable import GraphStore

/// The file of a program with an older schema: every name that `renames` renames is the old one.
struct OldShop {
  static let renames: [Graph.SchemaRename] = [
    .type("OldShop", to: "Shop"),
    .type("Query", to: "QueryRoot"),
    .type("Span", to: "PriceRange"),
    .field("QueryRoot.goods", to: "QueryRoot.products"),
    .field("Product.name", to: "Product.title"),
    .field("Shop.currencies", to: "Shop.enabledCurrencies"),
    .field("PriceRange.low", to: "PriceRange.min"),
    .enumValue("CurrencyCode.EURO", to: "CurrencyCode.EUR"),
    .enumValue("ProductSortKey.NAME", to: "ProductSortKey.TITLE"),
    .enumValue("CropRegion.MIDDLE", to: "CropRegion.CENTRE"),
    .enumValue("LengthUnit.CENTIMETRE", to: "LengthUnit.CM"),
  ]

  let folder: TemporaryFolder
  var file: URL { folder.file() }

  /// A store with these renames, or with others.
  func open(
    _ renames: [Graph.SchemaRename] = Self.renames, policies: [String: Graph.TypePolicy] = [:],
    recorder: SQLRecorder? = nil
  ) throws -> Graph.Store {
    var configuration = Graph.Store.Configuration(policies: policies)
    configuration.renames = renames
    configuration.recorder = recorder
    return try Graph.Store(schema: Storefront.schema, file: file, configuration: configuration)
  }

  static var query: Storefront.QueryRootQuery {
    Storefront.buildQuery {
      $0.shop { $0.id().name().currencyCode().enabledCurrencies() }
        .products(first: 2, sortKey: .title) {
          $0.nodes {
            $0.id().title().vendor().sizeChart { $0.unit() }
              .priceRange { $0.min { $0.amount().currencyCode() } }
              .images { $0.altText().url(transform: .init(crop: .centre)) }
          }.pageInfo { $0.hasNextPage().endCursor() }
        }
    }
  }

  static let response = """
    {"shop":{"id":"s","name":"EUR and TITLE","currencyCode":"EUR","enabledCurrencies":["USD","EUR"]},
     "products":{"nodes":[
      {"id":"p","title":"Hat","vendor":"EUR","sizeChart":{"unit":"CM"},
       "priceRange":{"min":{"amount":"1.5","currencyCode":"EUR"}},
       "images":[{"altText":null,"url":"https://a.b/c"}]},
      {"id":"q","title":"Cap","vendor":"Ann","sizeChart":null,
       "priceRange":{"min":{"amount":"2","currencyCode":"USD"}},"images":[]}],
      "pageInfo":{"hasNextPage":true,"endCursor":"c"}}}
    """

  /// The objects that a current program would have written, with the tables of other modules in the
  /// file.
  func fill() async throws {
    let store = try open([])
    let operation = try Self.query.operation()
    let response = try operation.response(from: Array("{\"data\":\(Self.response)}".utf8))
    try await store.write(response, of: operation)
    try await store.write { transaction in
      let tables = try transaction.createOverlayTables()
      try transaction.execute(
        "CREATE TABLE work(id TEXT NOT NULL, entity TEXT NOT NULL, document TEXT NOT NULL) STRICT")
      try transaction.execute("INSERT INTO work VALUES('1', 'Shop:s', 'mutation { a }')")
      try transaction.register(
        extensionTables: tables + ["work"],
        unsentWork: "SELECT id, entity, '' name, '' state, document, '' variables FROM work")
      try transaction.overlay(
        .update(["enabledCurrencies": ["EUR"], "name": "Hats"]),
        on: GraphQL.EntityKey(typeName: "Shop", key: "s"), by: 1)
    }
    try DatabaseConnection(path: file.path, mode: .writer).executeOnce(
      """
      INSERT INTO field_error VALUES('Shop:s', '["enabledCurrencies"]', 'm', '');
      INSERT INTO field_error VALUES('Product:p', '["priceRange","min"]', 'm', '');
      INSERT INTO overlay_patch VALUES('Shop:t', 2, 'unlink', '{"links":["Shop:s","Product:p"]}');
      INSERT INTO overlay_patch VALUES('Shop:t', 3, 'edit',
        '{"insert":"Shop:s","by":"enabledCurrencies","list":"enabledCurrencies","arguments":{}}');
      INSERT INTO overlay_patch VALUES('Shop:t', 4, 'steps', '{"steps":[{"effect":"update","content":'
        || '{"__typename":"Shop","enabledCurrencies":["EUR"]}},'
        || '{"effect":"unlink","content":{"links":["Shop:s"]}}]}');
      """)
  }

  /// Gives every name in the file its old form.
  func age() throws {
    let connection = try DatabaseConnection(path: file.path, mode: .writer)
    try connection.executeOnce("BEGIN IMMEDIATE; DELETE FROM field_value; DELETE FROM field")
    let rows = try connection.rows(
      "SELECT entity.id, name, key, record FROM entity JOIN type ON type.id = entity.type", []
    ) { ($0.integer(0), $0.text(1), $0.text(2), $0.text(3)) }
    for (id, type, key, record) in rows {
      let name =
        type == "Shop"
        ? "OldShop"
        : type.replacing("QueryRoot", with: "Query")
          .replacing("Query.products", with: "Query.goods")
      try connection.execute("INSERT OR IGNORE INTO type(name) VALUES(?1)", [.text(name)])
      try connection.execute(
        """
        UPDATE entity SET type = (SELECT id FROM type WHERE name = ?2), key = ?3, record = ?4
        WHERE id = ?1
        """,
        [
          .integer(id), .text(name), .text(key.replacing(#""TITLE""#, with: #""NAME""#)),
          .text(old(record)),
        ])
    }
    try connection.rewriteRecords { $0 }
    for (table, columns) in [
      ("overlay_base", ["entity", "record"]), ("overlay_patch", ["entity", "content"]),
      ("field_error", ["entity", "field"]), ("work", ["entity"]),
    ] {
      let ids = try connection.texts("SELECT \(columns[0]) FROM \(table)")
      for column in columns where !ids.isEmpty {
        let texts = try connection.texts("SELECT DISTINCT \(column) FROM \(table)")
        for text in texts {
          try connection.execute(
            "UPDATE \(table) SET \(column) = ?2 WHERE \(column) = ?1",
            [.text(text), .text(old(text))])
        }
      }
    }
    try connection.executeOnce("COMMIT")
  }

  private func old(_ text: String) -> String {
    var text = text
    let isProduct = text.hasPrefix(#"{"__typename":"Product""#)
    for (new, old) in [
      (#""__typename":"Shop""#, #""__typename":"OldShop""#), (#""Shop:"#, #""OldShop:"#),
      (#""__typename":"QueryRoot""#, #""__typename":"Query""#),
      ("QueryRoot.products:", "Query.goods:"), (#""products("#, #""goods("#),
      (#""__typename":"PriceRange""#, #""__typename":"Span""#), (#""min""#, #""low""#),
      (#""enabledCurrencies""#, #""currencies""#),
      (#""currencyCode":"EUR""#, #""currencyCode":"EURO""#),
      (#"["USD","EUR"]"#, #"["USD","EURO"]"#),
      (#"["EUR"]"#, #"["EURO"]"#), (#"\"TITLE\""#, #"\"NAME\""#),
      (#"\"CENTRE\""#, #"\"MIDDLE\""#), (#""CM""#, #""CENTIMETRE""#),
    ] {
      text = text.replacing(new, with: old)
    }
    if isProduct { text = text.replacing(#""title":"#, with: #""name":"#) }
    if text.hasPrefix("Shop:") { text = "Old" + text }
    return text
  }

  /// All rows of the file, sorted.
  func contents() throws -> [String] {
    let connection = try DatabaseConnection(path: file.path, mode: .reader)
    return try connection.texts(
      """
      SELECT name || ' ' || key || ' ' || record || ' ' || changed
        FROM entity JOIN type ON type.id = entity.type
      UNION ALL SELECT 'base ' || entity || ' ' || record FROM overlay_base
      UNION ALL SELECT 'patch ' || entity || change || effect || content FROM overlay_patch
      UNION ALL SELECT 'error ' || entity || field FROM field_error
      UNION ALL SELECT 'work ' || entity FROM work
      UNION ALL SELECT 'index ' || path || ' ' || value || ' ' || key FROM field_value
        JOIN field ON field.id = field_value.field JOIN entity ON entity.id = field_value.entity
      """
    ).sorted()
  }
}
