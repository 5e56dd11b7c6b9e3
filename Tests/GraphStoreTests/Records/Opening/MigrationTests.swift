import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphStore

/// Declared renames carry over the values that an earlier version of the program has stored.
@Suite struct MigrationTests {
  private let shop: OldShop

  init() throws { shop = OldShop(folder: try TemporaryFolder()) }

  /// The file of an older program, and the file that a current program would have written.
  private func fill() async throws -> [String] {
    try await shop.fill()
    let today = try shop.contents()
    try shop.age()
    return today
  }

  @Test func aMigratedFileEqualsANewlyWrittenFile() async throws {
    let today = try await fill()
    let old = try shop.contents()
    #expect(Set(old).isDisjoint(with: today.filter { !$0.hasPrefix("Product q") }))
    for text in ["OldShop", "Query.goods", "currencies", "EURO", "NAME", "MIDDLE", "CENTIMETRE"] {
      #expect(old.contains { $0.contains(text) }, "\(text)")
    }
    let store = try shop.open()
    #expect(try shop.contents() == today)
    #expect(try Graph.StoreInspector(file: shop.file).problems() == [])
    let report = try #require(store.migrationReport)
    #expect(report.isNew && report.problems.isEmpty && report.changedRows > 4)
    let read = try store.read(OldShop.query)
    #expect(read.missing.isEmpty)
    #expect(read.data?.shop.enabledCurrencies == [.eur])
    #expect(read.data?.products.nodes[0].priceRange.min.currencyCode == .eur)
    #expect(read.data?.products.nodes[0].sizeChart?.unit == .cm)
    // Its name in texts of the user is not changed.
    #expect(read.data?.products.nodes[0].vendor == "EUR")
    // Without its expected values.
    try await store.write { try $0.removeOverlay(of: 1) }
    #expect(try store.read(OldShop.query).data?.shop.name == "EUR and TITLE")
    #expect(try store.read(OldShop.query).data?.shop.enabledCurrencies == [.usd, .eur])
  }

  @Test func indexesUseTheNewNames() async throws {
    let policies = [
      "Product": Graph.TypePolicy(queryable: ["title", "priceRange.min.amount"]),
      "Shop": Graph.TypePolicy(queryable: ["currencyCode"]),
    ]
    let today = try await fill()
    let store = try shop.open(policies: policies)
    #expect(try shop.contents().filter { !$0.hasPrefix("index") } == today)
    #expect(
      try shop.contents().filter { $0.hasPrefix("index title") } == [
        "index title Cap q", "index title Hat p",
      ])
    #expect(try store.fetch(Storefront.Product.self).filter(\.title == "Hat").all().count == 1)
    #expect(try store.fetch(Storefront.Shop.self).filter(\.currencyCode == .eur).count() == 1)
  }

  @Test func aMigratedFileIsNotMigratedAgain() async throws {
    let today = try await fill()
    do { _ = try shop.open() }
    let statements = Locked<[String]>([])
    do {
      let store = try shop.open(recorder: { event in
        if case .run(let text) = event { statements.withLock { $0.append(text) } }
      })
      #expect(store.migrationReport?.isNew == false)
      #expect(try #require(store.migrationReport).changedRows > 4)
    }
    #expect(!statements.withLock { $0.contains { $0.hasPrefix("BEGIN IMMEDIATE") } })
    #expect(!statements.withLock { $0.contains { $0.contains("FROM entity WHERE id > ?1") } })
    #expect(try shop.contents() == today)
  }

  /// Two versions of a program use the file alternately, or have it open at the same time.
  @Test(arguments: [true, false])
  func laterRowsOfAnOlderProgramAreMigrated(isOpenBefore: Bool) async throws {
    let today = try await fill()
    var older: Graph.Store? = isOpenBefore ? try shop.open([]) : nil
    do { _ = try shop.open() }
    #expect(try shop.contents() == today)
    if older == nil { older = try shop.open([]) }
    // It knows only the old names; these are the rows that it leaves.
    try await older?.write(
      json: Array(#"{"id":"x","title":"Belt"}"#.utf8), as: Storefront.Product.self)
    older = nil
    let expected = try shop.contents()
    #expect(expected.count == today.count + 1)
    try shop.age()
    let store = try shop.open()
    #expect(store.migrationReport?.isNew == true)
    #expect(try shop.contents() == expected)
    // A store that is open stays correct.
    try await store.write(
      json: Array(#"{"id":"y","title":"Shoe"}"#.utf8), as: Storefront.Product.self)
    #expect(try shop.open().migrationReport?.isNew == false)
  }

  /// A killed process leaves the files that are on the disk at that moment.
  @Test func aMigrationIsAtomic() async throws {
    let today = try await fill()
    let old = try shop.contents()
    let (count, copies) = (Locked(0), Locked<[TemporaryFolder]>([]))
    let file = shop.file
    _ = try shop.open(recorder: { event in
      guard case .run = event else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number % 11 == 0, let copy = try? TemporaryFolder() else { return }
      // In another process: closing the files here would drop SQLite's locks.
      _ = try? ChildProcess(
        URL(filePath: "/bin/cp"), [file.path, file.path + "-wal", copy.url.path], error: .null
      ).wait()
      copies.withLock { $0.append(copy) }
    })
    #expect(copies.withLock { $0.count } > 5)
    var found: Set<Bool> = []
    for copy in copies.withLock({ $0 }) {
      let copy = OldShop(folder: copy)
      let contents = try copy.contents()
      found.insert(contents == today)
      #expect(contents == today || contents == old)
      #expect(try copy.open().migrationReport?.problems == [])
      #expect(try copy.contents() == today)
    }
    #expect(found.contains(false))
  }

  @Test func aFailedMigrationChangesNothing() async throws {
    let today = try await fill()
    let old = try shop.contents()
    let connection = try DatabaseConnection(path: shop.file.path, mode: .writer)
    try connection.executeOnce(
      """
      CREATE TRIGGER full BEFORE UPDATE ON entity WHEN old.key = 'q'
      BEGIN SELECT raise(FAIL, 'full'); END
      """)
    try connection.executeOnce(
      "UPDATE type SET name = 'Product' WHERE name = 'Product'")
    let error = #expect(throws: Graph.StoreError.self) { try shop.open() }
    #expect(error?.message.contains("full") == true)
    #expect(try shop.contents() == old)
    try connection.executeOnce("DROP TRIGGER full")
    _ = try shop.open()
    #expect(try shop.contents() == today)
  }

  @Test func concurrentOpeningsMigrateOnce() async throws {
    let today = try await fill()
    let shop = shop
    let news = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { try shop.open().migrationReport?.isNew ?? false }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(news == 1)
    #expect(try shop.contents() == today)
  }

  @Test func appliesAHistoryOfRenames() async throws {
    let today = try await fill()
    let first: [Graph.SchemaRename] = [
      .field("OldShop.currencies", to: "OldShop.moneys"), .type("OldShop", to: "Store"),
      .field("Store.moneys", to: "Store.payableIn"), .type("Store", to: "Shop"),
      .field("Shop.payableIn", to: "Shop.enabledCurrencies"),
      .field("Product.title", to: "Product.name"), .type("Product", to: "Ware"),
      .type("Ware", to: "Product"),
    ]
    let store = try shop.open(
      first + OldShop.renames.filter { $0.old != "OldShop" && $0.old != "Shop.currencies" })
    #expect(store.migrationReport?.problems == [])
    #expect(try shop.contents() == today)
  }

  @Test func aFieldOfAnInterfaceIsRenamedInItsTypes() async throws {
    try await shop.fill()
    let today = try shop.contents()
    try DatabaseConnection(path: shop.file.path, mode: .writer).rewriteRecords {
      $0.replacing(#""id":"#, with: #""gid":"#)
    }
    let store = try shop.open([.field("Node.gid", to: "Node.id")])
    #expect(store.migrationReport?.problems == [])
    #expect(try shop.contents() == today)
  }
}
