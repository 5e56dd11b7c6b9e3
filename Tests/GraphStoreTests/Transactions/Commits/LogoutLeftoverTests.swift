import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// A logout also deletes the data that readers skip.
@Suite struct LogoutLeftoverTests {
  private let folder: TemporaryFolder
  private let secret = "51f3-secret"

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ policies: [String: Graph.TypePolicy] = [:], lockTimeout: Duration = .seconds(60)
  ) throws -> Graph.Store {
    var configuration = Graph.Store.Configuration(policies: policies)
    configuration.lockTimeout = lockTimeout
    return try Graph.Store(
      schema: Sample.schema, file: folder.file(), configuration: configuration)
  }

  private var holdsSecret: Bool {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains { name in
        try Data(contentsOf: folder.file(name)).range(of: Data(secret.utf8)) != nil
      }
    }
  }

  /// A file with rows of every kind that readers skip, and files that were moved aside.
  private func fill() async throws {
    do {
      let earlier = try open(["Checkout": Graph.TypePolicy(persistence: .persistent)])
      try await earlier.write(
        json: Array(#"{"id":"\#(secret)-k","lines":[]}"#.utf8), as: Sample.Checkout.self)
      try await earlier.write(
        json: Array(#"[{"id":"1","name":"\#(secret)"},{"id":"2","name":"Bea"}]"#.utf8),
        as: Sample.Person.self)
    }
    try DatabaseConnection(path: folder.file().path, mode: .writer).executeOnce(
      """
      UPDATE entity SET record = '{"\(secret)' WHERE key = '1';
      INSERT INTO type(name) VALUES('Wallet');
      INSERT INTO entity(type, key, sum, record, changed)
        VALUES((SELECT id FROM type WHERE name = 'Wallet'), '\(secret)', 0, '{}', 0);
      INSERT INTO entity(type, key, sum, record, changed) VALUES(99, '\(secret)', 0, '{}', 0);
      """)
    for name in ["test.store.corrupt-1", "test.store.corrupt-1-wal", "test.store.corrupt-12"] {
      try Data(secret.utf8).write(to: folder.file(name))
    }
    try Data("of another".utf8).write(to: folder.file("test.store.corrupt-notes"))
  }

  @Test(arguments: [Graph.Store.LogoutScope.sensitive, .everything])
  func aLogoutDeletesRowsAndFilesThatReadersSkip(scope: Graph.Store.LogoutScope) async throws {
    try await fill()
    let store = try open()
    // Both contain the number of objects.
    #expect(try store.counts()["Checkout"] == nil)
    #expect(try store.count(of: Sample.Checkout.self) == 0)
    #expect(try holdsSecret)
    let report = try await store.logout(scope)
    #expect(
      Set(report.deleted.map(\.description)).isSuperset(
        of: ["Checkout:\(secret)-k", "Person:1", "Wallet:\(secret)"]))
    #expect(try !holdsSecret)
    #expect(try store.counts() == (scope == .sensitive ? ["Person": 1] : [:]))
    #expect(FileManager.default.fileExists(atPath: folder.file("test.store.corrupt-notes").path))
    // New data that replaces them is there.
    try await store.write(
      json: Array(#"[{"id":"1","name":"Ann"},{"id":"2","name":"Bo"}]"#.utf8),
      as: Sample.Person.self)
    #expect(try open().fetch(Sample.Person.self).all().map(\.name).sorted() == ["Ann", "Bo"])
    #expect(try Graph.StoreInspector(file: folder.file()).problems() == [])
  }

  @Test func aLogoutRemovesUnknownFieldsWithLinks() async throws {
    let store = try open()
    try await store.write(
      json: Array(#"{"id":"\#(secret)","email":"a@b.c"}"#.utf8), as: Sample.Customer.self)
    try await store.write(json: Array(#"{"id":"2","name":"Bea"}"#.utf8), as: Sample.Person.self)
    try DatabaseConnection(path: folder.file().path, mode: .writer).rewriteRecords(of: "2") {
      $0.replacing(
        #""name":"Bea""#,
        with:
          #""name":"Bea","buyers":[{"&":"Customer:\#(secret)"},{"at":1}],"guests":[{"at":[1,null]}]"#
      )
    }
    try await store.logout()
    #expect(try !holdsSecret)
    #expect(
      try store.text("Person:2")
        == #"{"__typename":"Person","id":"2","name":"Bea","guests":[{"at":[1,null]}]}"#)
  }

  @Test(arguments: StoreKind.allCases)
  func aLogoutOfEverythingRefusesLateResponses(kind: StoreKind) async throws {
    let store = try kind.make()
    let operation = try Sample.buildQuery { $0.person(id: "1") { $0.id().name() } }.operation()
    let response = try operation.response(
      from: Array(#"{"data":{"person":{"id":"1","name":"a"}}}"#.utf8))
    let generation = store.generation
    try await store.write(response, of: operation, in: generation)
    try await store.logout(.everything)
    #expect(store.generation != generation)
    await #expect(throws: GraphQL.StaleGeneration.self) {
      try await store.write(response, of: operation, in: generation)
    }
    #expect(try store.counts() == [:])
  }

  /// Also errors of objects of which nothing else is stored, and of types that have become
  /// transient.
  @Test func aLogoutDeletesFieldErrorsOfSkippedObjects() async throws {
    try await open().write(json: Array(#"{"id":"2","name":"Bea"}"#.utf8), as: Sample.Person.self)
    try DatabaseConnection(path: folder.file().path, mode: .writer).executeOnce(
      """
      INSERT INTO field_error VALUES('Checkout:1', '["lines"]', '\(secret)', '');
      INSERT INTO field_error VALUES('Customer:1', '["email"]', '\(secret)', '');
      INSERT INTO field_error VALUES('Wallet:1', '["sum"]', '\(secret)', '');
      INSERT INTO field_error VALUES('Query:', '["person(id:\(secret))"]', 'm', '');
      INSERT INTO field_error VALUES('Person:2', '\(secret)', 'm', '');
      INSERT INTO field_error VALUES('Person:2', '["age"]', 'busy', '');
      """)
    let store = try open()
    #expect(try holdsSecret)
    try await store.logout(.sensitive)
    #expect(try !holdsSecret)
    let left = try DatabaseConnection(path: folder.file().path, mode: .reader).texts(
      "SELECT entity || field FROM field_error")
    #expect(left == [#"Person:2["age"]"#])
  }

  /// Links that an earlier version of the program wrote when the types had other policies, to
  /// objects of which nothing else is stored; and such objects without keys.
  @Test(arguments: [Graph.TypePolicy.Persistence.transient, .sensitive])
  func aLogoutRemovesFieldsWithSensitiveAndTransientObjects(
    persistence: Graph.TypePolicy.Persistence
  )
    async throws
  {
    try await open(["Person": Graph.TypePolicy(deleteRules: ["club": .noAction])]).write(
      json: Array(
        #"""
        {"id":"c","name":"Chess","captain":{"id":"\#(secret)","club":{"id":"c"}},
         "persons":[{"id":"\#(secret)-2"}],"teams":[[{"id":"\#(secret)-3"}]],
         "place":{"name":"\#(secret)"}}
        """#.utf8), as: Sample.Club.self)
    try DatabaseConnection(path: folder.file().path, mode: .writer).executeOnce(
      "DELETE FROM entity WHERE key LIKE '\(secret)-%'")
    let store = try open([
      "Person": Graph.TypePolicy(persistence: persistence, deleteRules: ["club": .noAction]),
      "Place": Graph.TypePolicy(persistence: persistence),
    ])
    #expect(try holdsSecret)
    try await store.logout(.sensitive)
    #expect(try !holdsSecret)
    #expect(try store.text("Club:c") == #"{"__typename":"Club","id":"c","name":"Chess"}"#)
  }

  @Test func anUndeletableFileDoesNotPreventOtherDeletions() async throws {
    let store = try open()
    try await store.write(
      json: Array(#"{"id":"1","email":"\#(secret)"}"#.utf8), as: Sample.Customer.self)
    for name in ["test.store.corrupt-1", "test.store.corrupt-3"] {
      try FileManager.default.createDirectory(
        at: folder.file(name), withIntermediateDirectories: false)
    }
    try Data(secret.utf8).write(to: folder.file("test.store.corrupt-2"))
    let report = try await store.logout()
    #expect(report.deleted.map(\.description) == ["Customer:1"])
    let error = report.erasureError
    #expect(error?.code == .file)
    await #expect(throws: Graph.StoreError.self) { try await store.eraseDeletedData() }
    #expect(error?.message.contains("test.store.corrupt-1") == true)
    #expect(error?.message.contains("test.store.corrupt-3") == true)
    for name in ["test.store.corrupt-1", "test.store.corrupt-3"] {
      try FileManager.default.removeItem(at: folder.file(name))
    }
    #expect(try !holdsSecret)
    #expect(try Data(contentsOf: folder.file("test.store-wal")).isEmpty)
    try await store.eraseDeletedData()
  }

  /// The report names the unsent work even if the log cannot be emptied, and a later checkpoint empties it.
  @Test func aReaderDelaysTheErasure() async throws {
    let store = try open(lockTimeout: .zero)
    try await store.write(
      json: Array(#"{"id":"1","email":"\#(secret)"}"#.utf8), as: Sample.Customer.self)
    let reader = try DatabaseConnection(path: folder.file().path, mode: .reader)
    try reader.executeOnce("BEGIN")
    _ = try reader.texts("SELECT key FROM entity")
    let report = try await store.logout()
    #expect(report.deleted.map(\.description) == ["Customer:1"])
    #expect(report.erasureError?.code == .database)
    #expect(try holdsSecret)
    try reader.executeOnce("COMMIT")
    // More than the thousand pages after which the log is moved.
    for number in 0..<3 {
      let name = String(repeating: "x", count: 3_000_000)
      try await store.write(
        json: Array(#"{"id":"\#(number)","name":"\#(name)"}"#.utf8), as: Sample.Person.self)
    }
    try await store.write(json: Array(#"{"id":"9"}"#.utf8), as: Sample.Person.self)
    #expect(try !holdsSecret)
  }
}
