import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// A key is its bytes, as for GraphQL servers and SQLite: `é` has two forms in Unicode, which Swift's
/// own `==` takes for equal, and makes two objects.
@Suite struct KeyIdentityTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"
  private static let both = [composed, decomposed]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> Graph.Store {
    try Graph.Store(schema: Sample.schema, file: folder.file())
  }

  private func write(
    _ key: String, _ name: String, in store: Graph.Store, mode: Graph.JSONWriteMode = .upsert
  ) async throws {
    try await store.write(
      json: Array(#"[{"id":"\#(key)","name":"\#(name)"}]"#.utf8), as: Sample.Person.self,
      mode: mode)
  }

  private func names(_ store: Graph.Store) throws -> [String?] {
    try store.objects(Sample.Person.self, keys: Self.both).map { $0?.name }
  }

  @Test(arguments: StoreKind.allCases)
  func unicodeEquivalentKeysAreTwoObjects(kind: StoreKind) async throws {
    let store = try kind.make()
    for key in Self.both { try await write(key, "of \(key.utf8.count)", in: store) }
    #expect(try names(store) == ["of 5", "of 6"])
    #expect(try store.count(of: Sample.Person.self) == 2)
    // A link leads to the one with its bytes.
    try await store.write(
      json: Array(
        #"{"id":"c","persons":[{"id":"\#(Self.decomposed)"},{"id":"\#(Self.composed)"}]}"#.utf8),
      as: Sample.Club.self)
    let club = try #require(try store.object(Sample.Club.self, key: "c"))
    #expect(club.persons.map(\.name) == ["of 6", "of 5"])
    let deleted = try await store.write {
      try $0.delete(Sample.Person.self, key: Self.decomposed)
    }
    #expect(deleted.map(\.key.utf8.count) == [6])
    #expect(try names(store) == ["of 5", nil])
    #expect(try store.object(Sample.Club.self, key: "c")?.persons.map(\.name) == ["of 5"])
  }

  @Test func unicodeEquivalentKeysAreTwoObjectsAfterReopening() async throws {
    for key in Self.both { try await write(key, "of \(key.utf8.count)", in: try open()) }
    do {
      let store = try open()
      for key in Self.both { try await write(key, "new \(key.utf8.count)", in: store) }
    }
    #expect(try names(open()) == ["new 5", "new 6"])
  }

  @Test(arguments: [Graph.Store.LogoutScope.sensitive, .everything], [true, false])
  func aLogoutDeletesObjectsWithEquivalentKeys(scope: Graph.Store.LogoutScope, isOneRun: Bool)
    async throws
  {
    let store = try open()
    for key in Self.both {
      try await (isOneRun ? store : open()).write(
        json: Array(#"{"id":"\#(key)","email":"51f3-secret"}"#.utf8), as: Sample.Customer.self)
    }
    #expect(try store.count(of: Sample.Customer.self) == 2)
    let report = try await store.logout(scope)
    #expect(Set(report.deleted.map(\.key.utf8.count)) == [5, 6])
    #expect(try open().count(of: Sample.Customer.self) == 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let bytes = try Data(contentsOf: folder.file(name))
      #expect(bytes.range(of: Data("51f3-secret".utf8)) == nil, "\(name)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func replaceAllDeletesTheObjectWithTheEquivalentKey(kind: StoreKind) async throws {
    let store = try kind.make()
    for key in Self.both { try await write(key, "old", in: store) }
    try await write(Self.decomposed, "only", in: store, mode: .replaceAll)
    #expect(try names(store) == [nil, "only"])
  }

  @Test func replaceAllDeletesTheEquivalentKeyAfterReopening() async throws {
    for key in Self.both { try await write(key, "old", in: try open()) }
    let store = try open()
    try await write(Self.decomposed, "only", in: store, mode: .replaceAll)
    #expect(try names(store) == [nil, "only"])
    #expect(try store.count(of: Sample.Person.self) == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func anOverlayChangesOnlyTheObjectWithEqualBytes(kind: StoreKind) async throws {
    let store = try await kind.makeWithOverlays()
    for key in Self.both { try await write(key, "known", in: store) }
    for (change, key) in Self.both.enumerated() {
      try await store.write {
        try $0.overlay(
          .update(["name": .string("expected \(key.utf8.count)")]),
          on: GraphQL.EntityKey(typeName: "Person", key: key), by: Int64(change))
      }
      #expect(
        try names(store) == (change == 0 ? ["expected 5", "known"] : ["expected 5", "expected 6"]))
    }
    try await store.write { try $0.removeOverlay(of: 0) }
    #expect(try names(store) == ["known", "expected 6"])
    try await store.write { try $0.removeOverlay(of: 1, isExecuted: true) }
    #expect(try names(store) == ["known", "known"])
  }

  private func products(_ query: String?, after: String? = nil) -> Sample.QueryQuery {
    Sample.buildQuery {
      $0.products(first: 1, after: after, query: query) {
        $0.edges { $0.cursor().node { $0.id() } }.pageInfo { $0.hasNextPage().endCursor() }
      }
    }
  }

  private func page(_ id: String, _ cursor: String) -> String {
    """
    {"products":{"edges":[{"cursor":"\(cursor)","node":{"id":"\(id)"}}],
      "pageInfo":{"hasNextPage":true,"endCursor":"\(cursor)"}}}
    """
  }

  private func read(_ query: Sample.QueryQuery, in store: Graph.Store) throws -> [String]? {
    try store.read(query).data.map { $0.products.edges.map(\.node.id.rawValue) }
  }

  @Test(arguments: StoreKind.allCases)
  func connectionArgumentsCompareByBytes(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(products(Self.composed), page("1", "c"))
    #expect(try read(products(Self.decomposed), in: store) == nil)
    try await store.write(products(Self.decomposed), page("2", "d"))
    #expect(try read(products(Self.composed), in: store) == ["1"])
    #expect(try read(products(Self.decomposed), in: store) == ["2"])
  }

  @Test(arguments: StoreKind.allCases)
  func cursorsCompareByBytes(kind: StoreKind) async throws {
    let store = try kind.make()
    try await store.write(products(nil), page("1", Self.composed))
    try await store.write(products(nil, after: Self.decomposed), page("9", "z"))
    #expect(try read(products(nil, after: Self.composed), in: store) == nil)
    #expect(try read(products(nil, after: Self.decomposed), in: store) == ["9"])
    try await store.write(products(nil, after: Self.composed), page("2", Self.decomposed))
    #expect(try read(products(nil, after: Self.composed), in: store) == ["2"])
  }

  @Test(arguments: StoreKind.allCases)
  func fieldErrorsCompareArgumentsByBytes(kind: StoreKind) async throws {
    func person(_ id: String) -> Sample.QueryQuery {
      Sample.buildQuery { $0.person(id: .init(rawValue: id)) { $0.id() } }
    }
    let store = try kind.make()
    try await store.write(
      person(Self.composed), #"{"person":null}"#, errors: #"[{"message":"m","path":["person"]}]"#)
    #expect(try store.read(person(Self.decomposed)).missingText == ["person"])
    #expect(try store.read(person(Self.decomposed)).errors.isEmpty)
    try await store.write(person(Self.decomposed), #"{"person":null}"#)
    #expect(try store.read(person(Self.composed)).errors.map(\.message) == ["m"])
    #expect(try store.read(person(Self.decomposed)).errors.isEmpty)
  }

  #if os(Linux)
    /// Elsewhere the file system may take both names for one.
    @Test func fileNamesCompareByBytes() async throws {
      func open() throws -> [Graph.Store] {
        try Self.both.map {
          try Graph.Store(schema: Sample.schema, file: folder.file("\($0).store"))
        }
      }
      do { _ = try open() }
      let stores = try open()
      for (key, store) in zip(Self.both, stores) { try await write(key, "a", in: store) }
      for (key, store) in zip(Self.both, stores) { try await write(key, "b", in: store) }
      #expect(try names(stores[0]) == ["b", nil])
      #expect(try names(stores[1]) == [nil, "b"])
    }
  #endif
}
