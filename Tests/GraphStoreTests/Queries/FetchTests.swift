import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphStore

@Suite struct FetchTests {
  private static let products = #"""
    [{"id":"1","title":"b","vendor":"Acme","price":{"amount":"9.50","currencyCode":"EUR"},
      "updatedAt":"2026-01-01T00:00:00Z","variants":[{"sku":"x","size":"S","stock":0}]},
     {"id":"2","title":"a","vendor":"Acme","price":{"amount":"10.5","currencyCode":"EUR"},
      "updatedAt":"2026-01-01T01:00:00+02:00","variants":[{"sku":"x","size":"M","stock":4}]},
     {"id":"3","title":"B","vendor":null,"price":{"amount":"-3","currencyCode":"USD"},
      "updatedAt":"2026-03-01T00:00:00Z","variants":[]},
     {"id":"4","title":"é","price":{"amount":"100","currencyCode":"EUR"},
      "updatedAt":"2025-01-01T00:00:00Z"}]
    """#

  private func store(_ kind: StoreKind) async throws -> Graph.Store {
    let store = try kind.make()
    try await store.write(json: Array(Self.products.utf8), as: Sample.Product.self)
    try await store.write(
      json: Array(
        #"""
        [{"id":"c1","name":"Rooks","kind":"CHESS","captain":{"id":"p1","name":"Ann","age":30,
        "active":true,"score":1.5},"persons":[{"id":"p1"},{"id":"p2","name":"Bea","age":null,
        "active":false}]},{"id":"c2","name":"Oars","kind":"ROWING","captain":null,"persons":[]}]
        """#.utf8), as: Sample.Club.self)
    return store
  }

  private func ids(_ fetch: Graph.Fetch<Sample.Product>) throws -> [String] {
    try fetch.all().map(\.id.rawValue)
  }

  @Test(arguments: StoreKind.allCases)
  func filtersByFieldValues(kind: StoreKind) async throws {
    let products = try await store(kind).fetch(Sample.Product.self)
    #expect(try ids(products) == ["1", "2", "3", "4"])
    #expect(try ids(products.filter(\.vendor == "Acme" && \.price.amount > 10)) == ["2"])
    #expect(try ids(products.filter(\.vendor == "Acme").filter(\.price.amount <= 10)) == ["1"])
    #expect(try ids(products.filter(\.vendor == nil)) == ["3", "4"])
    #expect(try ids(products.filter(\.vendor != nil)) == ["1", "2"])
    #expect(try ids(products.filter(!(\.vendor == "Acme"))) == ["3", "4"])
    #expect(try ids(products.filter(\.id == "3" || \.price.currencyCode == "EUR")).count == 4)
    #expect(try ids(products.filter(\.price.amount < 0)) == ["3"])
    #expect(try ids(products.filter(\.price.amount == 9.5)) == ["1"])
    #expect(try ids(products.filter(.oneOf(\.title, ["b", "B", "z"]))) == ["1", "3"])
    #expect(try ids(products.filter(.oneOf(\.title, []))) == [])
    let new = try GraphQL.DateTime(scalar: "2026-01-01T00:00:00Z")
    #expect(try ids(products.filter(\.updatedAt >= new)) == ["1", "3"])
  }

  @Test(arguments: StoreKind.allCases)
  func filtersThroughLinksAndLists(kind: StoreKind) async throws {
    let store = try await store(kind)
    let clubs = store.fetch(Sample.Club.self)
    #expect(try clubs.filter(\.captain?.name == "Ann").all().map(\.id) == ["c1"])
    #expect(try clubs.filter(\.captain?.age > 29).count() == 1)
    #expect(try clubs.filter(\.captain?.active == true).count() == 1)
    #expect(try clubs.filter(\.captain?.score < 1.6).count() == 1)
    #expect(try clubs.filter(\.captain?.name == nil).all().map(\.id) == ["c2"])
    #expect(try clubs.filter(\.kind == .rowing).all().map(\.id) == ["c2"])
    #expect(try clubs.filter(.any(\.persons) { \.name == "Bea" }).all().map(\.id) == ["c1"])
    #expect(try clubs.filter(.any(\.persons) { \.age > 30 }).exists() == false)
    #expect(
      try ids(store.fetch(Sample.Product.self).filter(.any(\.variants) { \.stock > 0 })) == ["2"])
  }

  @Test(arguments: StoreKind.allCases)
  func sortsAndLimits(kind: StoreKind) async throws {
    let products = try await store(kind).fetch(Sample.Product.self)
    #expect(try ids(products.sorted(by: \.title)) == ["3", "2", "1", "4"])
    #expect(try ids(products.sorted(by: \.price.amount, descending: true)) == ["4", "2", "1", "3"])
    #expect(try ids(products.sorted(by: \.vendor).sorted(by: \.title)) == ["3", "4", "2", "1"])
    #expect(try ids(products.sorted(by: \.updatedAt).limit(2)) == ["4", "2"])
    #expect(try ids(products.limit(2)) == ["1", "2"])
    #expect(try ids(products.offset(1).limit(2)) == ["2", "3"])
    #expect(try ids(products.offset(3).limit(.max)) == ["4"])
    #expect(try ids(products.offset(9)) == [])
    #expect(try ids(products.limit(0)) == [] && ids(products.limit(-1)) == [])
    #expect(try products.sorted(by: \.title).first()?.id == "3")
    #expect(try products.limit(1).count() == 4)
  }

  @Test(arguments: StoreKind.allCases)
  func aTransactionFetchesItsUncommittedChanges(kind: StoreKind) async throws {
    let store = try await store(kind)
    try await store.write { storage in
      try storage.write(
        json: Array(#"[{"id":"2","title":"z"},{"id":"5","title":"c"}]"#.utf8),
        as: Sample.Product.self)
      try storage.delete(Sample.Product.self, key: "1")
      let fetch = storage.fetch(Sample.Product.self).sorted(by: \.title)
      #expect(try fetch.all().map(\.title) == ["B", "c", "z", "é"])
      #expect(try fetch.count() == 4)
      #expect(try store.fetch(Sample.Product.self).count() == 4)
    }
    #expect(
      try store.fetch(Sample.Product.self).sorted(by: \.title).all().map(\.title)
        == ["B", "c", "z", "é"])
  }

  /// One for each reason why a key path is not a stored field.
  static let opaque: [Graph.Filter<Sample.Club>] = [
    \Sample.Club.computed == "x!", \Sample.Club.persons[0].name == "Ann",
    \Sample.Club.isLarge == true, \Sample.Club.motto[orElse: "x"] == "x",
  ]

  @Test(arguments: opaque.indices)
  func refusesKeyPathsThatAreNotFields(index: Int) async throws {
    let store = try await store(.memory)
    let error = #expect(throws: Graph.StoreError.self) {
      try store.fetch(Sample.Club.self).filter(Self.opaque[index]).all()
    }
    #expect(error?.code == .unsupportedKeyPath)
  }

  @Test func rejectsSortingByUnorderedFields() async throws {
    let store = try await store(.memory)
    #expect(throws: Graph.StoreError.self) {
      try store.fetch(Sample.Club.self).sorted(by: \.captain).all()
    }
    #expect(throws: Graph.StoreError.self) {
      try store.fetch(Sample.Club.self).sorted(by: \.name.count).count()
    }
  }
}

extension Sample.Club {
  fileprivate var computed: String { name + "!" }
  fileprivate var isLarge: Bool { persons.count > 10 }
}

extension String? {
  fileprivate subscript(orElse other: String) -> String { self ?? other }
}
