import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

@Suite struct StoreFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String = "test.store") throws -> Graph.Store {
    try Graph.Store(schema: Sample.schema, file: folder.file(name))
  }

  private func fill(_ store: Graph.Store) async throws {
    try await store.write(json: Array(#"{"id":"1","name":"Ann"}"#.utf8), as: Sample.Person.self)
  }

  private func permissions(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  @Test func reopeningFindsAllRecords() async throws {
    try await fill(try open())
    let store = try open()
    #expect(try store.object(Sample.Person.self, id: "1")?.name == "Ann")
    #expect(store.recovery == nil)
  }

  @Test func createsFilesWithPrivatePermissions() async throws {
    let deep = folder.url.appending(path: "a/b/test.store")
    let store = try Graph.Store(schema: Sample.schema, file: deep)
    try await fill(store)
    #expect(try permissions(deep.deletingLastPathComponent()) == 0o700)
    #expect(try permissions(deep.deletingLastPathComponent().deletingLastPathComponent()) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: deep.deletingLastPathComponent().path)
    #expect(
      names.sorted()
        == ["test.store", "test.store-lock", "test.store-shm", "test.store-wal"])
    for name in names {
      #expect(try permissions(deep.deletingLastPathComponent().appending(path: name)) == 0o600)
    }
  }

  @Test func openingMakesPermissionsPrivate() async throws {
    try await fill(try open())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    for name in names {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: folder.file(name).path)
    }
    let store = try open()
    #expect(try store.object(Sample.Person.self, id: "1")?.name == "Ann")
    for name in names { #expect(try permissions(folder.file(name)) == 0o600) }
  }

  @Test func keepsTransientTypesOffTheDisk() async throws {
    let secret = "3f1c-never-on-disk"
    let store = try open()
    try await fill(store)
    try await store.write(
      json: Array(#"{"id":"\#(secret)","lines":[]}"#.utf8), as: Sample.Checkout.self)
    #expect(try store.contains(Sample.Checkout.self, key: secret))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      #expect(try Data(contentsOf: folder.file(name)).range(of: Data(secret.utf8)) == nil)
    }
    #expect(try !open().contains(Sample.Checkout.self, key: secret))
  }

  @Test(arguments: ["", "-wal", "-shm", "-lock"])
  func refusesSymbolicLinks(suffix: String) throws {
    let target = folder.file("target")
    try Data().write(to: target)
    try FileManager.default.createSymbolicLink(
      at: folder.file("test.store" + suffix), withDestinationURL: target)
    let error = #expect(throws: Graph.StoreError.self) { try open() }
    #expect(error?.code == .unsafePath)
    #expect(error?.message.contains("'\(folder.file("test.store" + suffix).path)'") == true)
    #expect(try Data(contentsOf: target).isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.contains("test.store-lock") == !suffix.isEmpty)
  }

  @Test func rejectsAURLThatIsNotAFileURL() throws {
    let url = try #require(URL(string: "http://localhost:4000\(folder.file().path)"))
    let error = #expect(throws: Graph.StoreError.self) {
      try Graph.Store(schema: Sample.schema, file: url)
    }
    #expect(error?.code == .file)
    #expect(error?.message.contains("http://localhost:4000") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file().path))
  }

  @Test func errorsContainTheFileAndASuggestion() throws {
    let name = String(repeating: "a", count: 300)
    let error = #expect(throws: Graph.StoreError.self) { try open(name) }
    #expect(error?.code == .file)
    #expect(error?.message.contains(name) == true)
    #expect(error?.message.contains("File name too long") == true)
    #expect(error?.message.contains("use a shorter path") == true)
    #expect((error?.cause as? POSIXError)?.code == .ENAMETOOLONG)
  }

  /// SQLite cannot open its index.
  @Test func errorsOfSQLiteNameTheFile() async throws {
    do { try await fill(try open()) }
    try FileManager.default.createDirectory(
      at: folder.file("test.store-wal"), withIntermediateDirectories: false)
    let error = #expect(throws: Graph.StoreError.self) { try open() }
    #expect(error?.message.contains(folder.file().path) == true)
    let sqlite = Graph.StoreError(.database, "disk I/O error", sqliteCode: 4874).opening("/a/b")
    #expect(sqlite.message.hasPrefix("cannot open '/a/b': disk I/O error; check"))
    #expect(sqlite.sqliteCode == 4874)
  }

  @Test func refusesADirectory() throws {
    let error = #expect(throws: Graph.StoreError.self) {
      try Graph.Store(schema: Sample.schema, file: folder.url)
    }
    #expect(error?.code == .file)
  }

  @Test func rejectsANewerFormatWithoutChangingTheFile() async throws {
    try await fill(try open())
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce("PRAGMA user_version=99")
    let error = #expect(throws: Graph.StoreError.self) { try open() }
    #expect(error?.code == .newerFormat)
    #expect(try connection.texts("SELECT key FROM entity") == ["1"])
  }

  @Test func rejectsAForeignDatabaseWithoutChangingTheFile() throws {
    try Data().write(to: folder.file())
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce("CREATE TABLE notes(text TEXT)")
    let error = #expect(throws: Graph.StoreError.self) { try open() }
    #expect(error?.code == .foreignFile)
    #expect(try connection.texts("SELECT name FROM sqlite_schema") == ["notes"])
  }

  @Test func movesABrokenFileAside() async throws {
    let garbage =
      Data("this is no database, and long enough to look like one: ".utf8) + Data(count: 4096)
    try garbage.write(to: folder.file())
    let store = try open()
    let recovery = try #require(store.recovery)
    #expect(recovery.reason.code == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: recovery.movedTo)) == garbage)
    try await fill(store)
    #expect(try store.counts() == ["Person": 1])
  }

  /// Creates a file of many pages, and damages all pages from one page on.
  private func damage(fromPage first: Int) async throws {
    do {
      let store = try open()
      for number in 0..<200 {
        try await store.write(
          json: Array(#"{"id":"\#(number)","name":"\#(String(repeating: "x", count: 500))"}"#.utf8),
          as: Sample.Person.self)
      }
    }
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce("PRAGMA wal_checkpoint(TRUNCATE)")
    var bytes = try Data(contentsOf: folder.file())
    for offset in stride(from: first * 4096, to: bytes.count, by: 4096) {
      bytes.replaceSubrange(offset..<offset + 64, with: Data(repeating: 0xA5, count: 64))
    }
    try bytes.write(to: folder.file())
  }

  @Test func detectsDamageOnOpening() async throws {
    try await damage(fromPage: 2)
    let store = try open()
    #expect(store.recovery?.reason.code == .corrupt)
    try await fill(store)
    #expect(try store.counts() == ["Person": 1])
  }

  @Test func recoversOnReopeningAfterAReadFoundDamage() async throws {
    try await damage(fromPage: 16)
    do {
      let store = try open()
      let error = #expect(throws: Graph.StoreError.self) {
        try store.fetch(Sample.Person.self).all()
      }
      #expect(error?.code == .corrupt)
    }
    let store = try open()
    #expect(store.recovery != nil)
    try await fill(store)
    #expect(try store.counts() == ["Person": 1])
  }

  @Test func recoversAfterABeginningTransactionFoundDamage() async throws {
    do {
      let store = try open()
      try await fill(store)
      // A commit of another connection makes the store read the first page again.
      let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
      try connection.executeOnce("UPDATE entity SET changed = 0; PRAGMA wal_checkpoint(TRUNCATE)")
      let file = try FileHandle(forWritingTo: folder.file())
      try file.write(contentsOf: Data(repeating: 0xA5, count: 100))
      let error = await #expect(throws: Graph.StoreError.self) { try await fill(store) }
      #expect(error?.code == .corrupt)
      #expect(IntegrityCheckMarker.isSet(folder.file().path))
    }
    #expect(try open().recovery?.reason.code == .corrupt)
  }

  @Test func detectsDamageOfTheSequenceTable() async throws {
    try await fill(try open())
    try DatabaseConnection(path: folder.file().path, mode: .writer).executeOnce(
      """
      PRAGMA writable_schema=ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_sequence(name)'
        WHERE name = 'sqlite_sequence'
      """)
    let store = try open()
    #expect(store.recovery?.reason.code == .corrupt)
    try await fill(store)
    #expect(try store.counts() == ["Person": 1])
  }

  @Test func aDamagedRecordIsMissing() async throws {
    let store = try open()
    try await store.write(
      json: Array(#"[{"id":"1","name":"Ann","age":7},{"id":"2","name":"Bea"}]"#.utf8),
      as: Sample.Person.self)
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.rewriteRecords(of: "1") { _ in
      #"{"__typename":"Person","id":"1","name":4,"age":7}"#
    }
    try connection.executeOnce("UPDATE entity SET record = '{oops' WHERE key = '2'")
    let ann = try #require(try store.object(Sample.Person.self, id: "1"))
    #expect(!ann.has(\.name) && ann.age == 7)
    #expect(try store.object(Sample.Person.self, id: "2") == nil)
    // A new write replaces the damaged record.
    try await store.write(
      json: Array(#"[{"id":"1","name":"Ann"},{"id":"2","name":"Bea"}]"#.utf8),
      as: Sample.Person.self)
    #expect(try store.object(Sample.Person.self, id: "1")?.name == "Ann")
    #expect(try store.object(Sample.Person.self, id: "2")?.name == "Bea")
    #expect(try store.count(of: Sample.Person.self) == 2)
  }

  @Test func aLinkToAnotherTypeIsMissing() async throws {
    let store = try open()
    try await store.write(
      json: Array(#"{"id":"c","captain":{"id":"1"},"persons":[{"id":"1"}]}"#.utf8),
      as: Sample.Club.self)
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.rewriteRecords { $0.replacing("Person:1", with: "Club:c") }
    let club = try #require(try store.object(Sample.Club.self, id: "c"))
    #expect(!club.has(\.captain?.name))
    let query = Sample.buildQuery { $0.club(id: "c") { $0.id().captain { $0.id() } } }
    try await store.write(
      Sample.buildQuery { $0.club(id: "c") { $0.id() } }, #"{"club":{"id":"c"}}"#)
    #expect(try store.read(query).missingText == ["club.captain"])
  }

  @Test func twoStoresWriteToOneFile() async throws {
    let first = try open()
    let second = try open()
    try await fill(first)
    #expect(try second.object(Sample.Person.self, id: "1")?.name == "Ann")
    // The second writer's cache must not hide the writes of the first.
    for age in 0..<20 {
      let store = age.isMultiple(of: 2) ? first : second
      try await store.write(
        json: Array(#"{"id":"1","age":\#(age)}"#.utf8), as: Sample.Person.self)
      try await (age.isMultiple(of: 3) ? first : second).write(
        json: Array(#"{"id":"1","score":\#(age)}"#.utf8), as: Sample.Person.self)
    }
    let person = try #require(try first.object(Sample.Person.self, id: "1"))
    #expect(person.name == "Ann" && person.age == 19 && person.score == 19)
  }

  /// Another program moves the file after SQLite has opened it.
  @Test(arguments: [false, true])
  func aFileThatIsMovedWhileItIsOpenedGetsNoWrites(isReplaced: Bool) async throws {
    do { _ = try open() }
    let (file, moved) = (folder.file(), folder.file("moved"))
    let isMoved = Locked(false)
    var configuration = Graph.Store.Configuration()
    configuration.recorder = { event in
      guard event == .run("PRAGMA user_version") else { return }
      isMoved.withLock { isMoved in
        guard !isMoved else { return }
        isMoved = true
        try? FileManager.default.moveItem(at: file, to: moved)
        if isReplaced { try? FileManager.default.copyItem(at: moved, to: file) }
      }
    }
    let store = try Graph.Store(schema: Sample.schema, file: file, configuration: configuration)
    #expect(isMoved.withLock { $0 })
    #expect(store.recovery == nil)
    let name = Data("51f3-name".utf8)
    try await store.write(
      json: Array(#"{"id":"1","name":"51f3-name"}"#.utf8), as: Sample.Person.self)
    store.committed.file?.checkpoint()
    #expect(try Data(contentsOf: file).range(of: name) != nil)
    #expect(try Data(contentsOf: moved).range(of: name) == nil)
  }
}
