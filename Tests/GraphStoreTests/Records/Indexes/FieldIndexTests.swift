import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

@Suite struct FieldIndexTests {
  private let log = StatementLog()
  private let notices = Locked<[String]>([])
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ policies: [String: Graph.TypePolicy] = [:]) throws -> Graph.Store {
    var configuration = Graph.Store.Configuration(policies: policies)
    configuration.recorder = log.recorder
    configuration.scanNotice = { [notices] notice in notices.withLock { $0.append(notice) } }
    return try Graph.Store(schema: Sample.schema, file: folder.file(), configuration: configuration)
  }

  private func product(_ id: Int, _ vendor: String, _ amount: String) -> String {
    #"""
    {"id":"\#(id)","title":"t\#(id % 7)","vendor":"\#(vendor)",
    "price":{"amount":"\#(amount)","currencyCode":"EUR"}}
    """#
  }

  private func fill(_ store: Graph.Store) async throws {
    let amounts = ["9.50", "10.5", "-3", "100", "0", "1e1", "9.5"]
    let products = amounts.enumerated().map { product($0, "v\($0 % 2)", $1) }
    try await store.write(
      json: Array("[\(products.joined(separator: ",")),{\"id\":\"x\"}]".utf8),
      as: Sample.Product.self)
  }

  private func ids(_ fetch: Graph.Fetch<Sample.Product>) throws -> String {
    try fetch.all().map(\.id.rawValue).joined()
  }

  /// The result of `body`, if it has found records by an index only.
  private func indexed(_ body: () throws -> String) throws -> String {
    _ = log.takeRun()
    let result = try body()
    let run = Set(log.takeRun())
    let searches = [SQL.recordsInRange, .recordsAscending, .recordsDescending].map(\.text)
    return !run.isDisjoint(with: searches) && !run.contains(SQL.recordsOfType.text)
      ? result : "scanned"
  }

  @Test func filtersRunOnTheIndex() async throws {
    let store = try open()
    try await fill(store)
    let products = store.fetch(Sample.Product.self)
    let cases: [(Graph.Filter<Sample.Product>, String)] = [
      (\.vendor == "v1", "135"), (\.vendor == nil, "x"), (\.vendor > "v0", "135"),
      (\.vendor < "v1", "0246"), (\.price.amount > 10, "13"), (\.price.amount >= 10, "135"),
      (\.price.amount == 9.5, "06"), (\.price.amount <= 0, "24"),
      (\.price.amount > 0 && \.price.amount < 10, "06"),
      (\.vendor == "v0" && \.price.amount > 9, "06"), (\.vendor == "none", ""),
    ]
    for (filter, expected) in cases {
      #expect(try indexed { try ids(products.filter(filter)) } == expected)
      #expect(try indexed { "\(try products.filter(filter).count())" } == "\(expected.count)")
    }
    #expect(notices.withLock { $0 } == [])
  }

  @Test func sortsRunOnTheIndex() async throws {
    let store = try open()
    try await fill(store)
    let products = store.fetch(Sample.Product.self)
    #expect(try indexed { try ids(products.sorted(by: \.price.amount)) } == "x2406513")
    #expect(
      try indexed { try ids(products.sorted(by: \.price.amount, descending: true)) } == "3150642x")
    #expect(
      try indexed { try ids(products.sorted(by: \.price.amount).offset(2).limit(3)) } == "406")
    #expect(
      try indexed { try ids(products.filter(\.price.amount > 1).sorted(by: \.price.amount)) }
        == "06513")
    // One index finds the objects, which are then sorted.
    #expect(
      try indexed { try ids(products.filter(\.vendor == "v1").sorted(by: \.price.amount)) } == "513"
    )
    #expect(
      try ids(products.sorted(by: \.vendor).sorted(by: \.price.amount, descending: true))
        == "x0642315")
  }

  @Test func indexesFollowEveryChange() async throws {
    let store = try open()
    try await fill(store)
    let acme = store.fetch(Sample.Product.self).filter(\.vendor == "Acme")
    try await store.write(
      json: Array(#"[{"id":"1","vendor":"Acme"},{"id":"9","vendor":"Acme"}]"#.utf8),
      as: Sample.Product.self)
    #expect(try ids(acme) == "19")
    try await store.write(
      json: Array(#"[{"id":"1","vendor":null},{"id":"9","title":"new"}]"#.utf8),
      as: Sample.Product.self)
    #expect(try ids(acme) == "9")
    try await store.write { try $0.delete(Sample.Product.self, key: "9") }
    #expect(try ids(acme) == "")
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await store.write { storage in
        try storage.write(json: Array(#"{"id":"2","vendor":"Acme"}"#.utf8), as: Sample.Product.self)
        // The transaction sees its own unwritten changes.
        #expect(try storage.fetch(Sample.Product.self).filter(\.vendor == "Acme").count() == 1)
        throw Stop()
      }
    }
    #expect(try ids(acme) == "")
    try await store.logout(.everything)
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    #expect(try connection.texts("SELECT count(*) FROM field_value") == ["0"])
  }

  @Test func unchangedValuesAreNotWritten() async throws {
    let store = try open()
    try await fill(store)
    _ = log.takeRun()
    try await store.write(
      json: Array(#"{"id":"1","price":{"amount":"10.50"}}"#.utf8), as: Sample.Product.self)
    let run = log.takeRun()
    #expect(run.contains(SQL.updateRecord.text))
    #expect(!run.contains(SQL.insertIndexedValue.text))
  }

  @Test func createsNewIndexesAndDropsOldOnes() async throws {
    try await fill(try open(["Product": Graph.TypePolicy(queryable: [])]))
    var store = try open(["Product": Graph.TypePolicy(queryable: ["vendor"])])
    #expect(
      try indexed { try ids(store.fetch(Sample.Product.self).filter(\.vendor == "v1")) } == "135")
    // A file that is open elsewhere with other declarations is read without the index.
    let other = try open(["Product": Graph.TypePolicy(queryable: ["title"])])
    #expect(try ids(store.fetch(Sample.Product.self).filter(\.vendor == "v1")) == "135")
    try await store.write(
      json: Array(#"{"id":"0","title":"zz"}"#.utf8), as: Sample.Product.self)
    #expect(try ids(other.fetch(Sample.Product.self).filter(\.title == "zz")).isEmpty == false)
    store = try open(["Product": Graph.TypePolicy(queryable: ["vendor"])])
    #expect(try ids(store.fetch(Sample.Product.self).filter(\.vendor == "v1")) == "135")
  }

  @Test func rebuildsAnIndexWithADamagedDeclaration() async throws {
    let policies = ["Product": Graph.TypePolicy(queryable: ["vendor"])]
    try await fill(try open(policies))
    for damage in ["kind = 'strong'", "path = 'vendos'"] {
      try DatabaseConnection(path: folder.file().path, mode: .writer).executeOnce(
        "UPDATE field SET \(damage)")
      let store = try open(policies)
      #expect(
        try indexed { try ids(store.fetch(Sample.Product.self).filter(\.vendor == "v1")) } == "135")
    }
  }

  @Test func fieldsWithoutAnIndexCauseAScanNotice() async throws {
    let store = try open()
    try await fill(store)
    let products = store.fetch(Sample.Product.self)
    for _ in 0..<3 {
      #expect(try ids(products.filter(\.price.currencyCode == "EUR")).count == 7)
      #expect(try ids(products.filter(\.vendor == "v1" || \.vendor == "v0")).count == 7)
    }
    #expect(
      notices.withLock { $0.map { String($0.prefix { $0 != " " }) } }
        == ["Product.price.currencyCode", "Product.vendor"])
  }

  @Test(arguments: StoreKind.allCases)
  func stringsCompareByACollation(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(
      json: Array(
        #"[{"id":"1","title":"b"},{"id":"2","title":"É"},{"id":"3","title":"A"},{"id":"4","title":"e"}]"#
          .utf8), as: Sample.Product.self)
    let products = store.fetch(Sample.Product.self)
    #expect(try ids(products.sorted(by: \.title)) == "3142")
    #expect(try ids(products.sorted(by: \.title, collation: .caseInsensitive)) == "3142")
    #expect(
      try ids(products.sorted(by: \.title, collation: .caseAndDiacriticInsensitive)) == "3124")
    #expect(
      try ids(products.filter(.string(\.title, .equal, "a", collation: .caseInsensitive))) == "3")
    #expect(
      try ids(
        products.filter(.string(\.title, .equal, "E", collation: .caseAndDiacriticInsensitive)))
        == "24")
  }

  @Test func everySearchByAFieldUsesTheIndex() throws {
    let store = try open()
    let pool = try #require(store.committed.file?.pool)
    let connection = try pool.begin()
    defer { pool.end(connection) }
    for sql in [SQL.recordsInRange, .recordsAscending, .recordsDescending] {
      let plan = try connection.plan(sql.text)
      #expect(plan.contains("SEARCH v USING PRIMARY KEY (field=? AND value>? AND value<?)"))
      #expect(plan.contains("SEARCH entity USING INTEGER PRIMARY KEY"))
      #expect(!plan.contains("SCAN"), "\(sql): \(plan)")
    }
    #expect(!(try connection.plan(SQL.recordsAscending.text)).contains("TEMP B-TREE"))
    for sql in [SQL.index, .indexesOfType, .insertIndexedValue, .deleteIndexedValue] {
      #expect(!(try connection.plan(sql.text)).contains("SCAN"), "\(sql)")
    }
  }
}
