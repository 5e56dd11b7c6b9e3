import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// A file that one process opens more than once.
@Suite struct SharedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ file: URL? = nil) throws -> Graph.Store {
    try Graph.Store(schema: Sample.schema, file: file ?? folder.file())
  }

  private func write(_ name: String, to store: Graph.Store) async throws {
    try await store.write(
      json: Array(#"{"id":"\#(name)","name":"\#(name)"}"#.utf8), as: Sample.Person.self)
  }

  #if !canImport(Darwin)
    /// SQLite's locks on a file, as another process sees them.
    private struct Locks {
      /// Never closed: that would drop the locks of this process.
      private let descriptor: Int32

      init(_ file: URL) throws {
        descriptor = Glibc.open(file.path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
      }

      /// Whether a connection has the lock for reading, which every open connection has.
      var areThere: Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0002
        lock.l_len = 510
        // F_OFD_GETLK also sees the locks of this process.
        _ = fcntl(descriptor, 36, &lock)
        return Int32(lock.l_type) != F_UNLCK
      }
    }

    @Test func openingAgainKeepsTheLocksOfSQLite() async throws {
      let store = try open()
      try await write("a", to: store)
      let locks = try Locks(folder.file())
      #expect(locks.areThere)
      do {
        let other = try open()
        try await write("b", to: other)
        #expect(locks.areThere)
      }
      #expect(locks.areThere)
      _ = try Graph.StoreInspector(file: folder.file()).counts()
      #expect(locks.areThere)
      try await write("c", to: store)
      #expect(try store.counts() == ["Person": 3])
    }
  #endif

  @Test func storesOfOneFileShareTheirConnections() throws {
    let store = try open()
    let link = folder.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.url.appending(path: "."))
    let paths = [
      folder.file(), link.appending(path: "test.store"),
      folder.url.appending(path: "./other/../test.store"),
    ]
    for path in paths {
      let other = try open(path)
      #expect(other.committed.file?.shared === store.committed.file?.shared)
    }
  }

  @Test func releasingTheLastStoreClosesTheFile() async throws {
    let first = try open()
    try await write("a", to: first)
    weak let shared = first.committed.file?.shared
    #expect(shared != nil)
    do { _ = consume first }
    #expect(shared == nil)
    #expect(try open().counts() == ["Person": 1])
  }

  /// Otherwise a file would close later than its last store.
  @Test func openingAFileDoesNotRetainOtherFiles() async throws {
    let file = folder.file("other.store")
    let isDone = Locked(false)
    let open = try (0..<200).map { try self.open(folder.file("\($0).store")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !isDone.withLock({ $0 }) { _ = try Graph.Store(schema: Sample.schema, file: file) }
      }
      var retained = 0
      for _ in 0..<300 {
        let store = try self.open()
        weak let shared = store.committed.file?.shared
        do { _ = consume store }
        if shared != nil { retained += 1 }
      }
      isDone.withLock { $0 = true }
      #expect(retained == 0)
      try await group.waitForAll()
    }
    withExtendedLifetime(open) {}
  }

  @Test func manyThreadsOpenOneFile() async throws {
    let file = folder.file()
    let stores = try await withThrowingTaskGroup(of: Graph.Store.self) { group in
      for number in 0..<16 {
        group.addTask {
          let store = try Graph.Store(schema: Sample.schema, file: file)
          try await store.write(
            json: Array(#"{"id":"\#(number)","name":"a"}"#.utf8), as: Sample.Person.self)
          return store
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for store in stores {
      #expect(store.committed.file?.shared === stores[0].committed.file?.shared)
      #expect(try store.counts() == ["Person": 16])
    }
  }

  /// The file is refused by both of its names as long as it has two.
  private func expectRefusalWithTwoNames() throws {
    let other = folder.file("other.store")
    try FileManager.default.linkItem(at: folder.file(), to: other)
    for file in [other, folder.file()] {
      let error = #expect(throws: Graph.StoreError.self) { try open(file) }
      #expect(error?.code == .unsafePath)
    }
    try FileManager.default.removeItem(at: other)
  }

  @Test func rejectsAFileWithTwoHardLinks() async throws {
    do { try await write("a", to: try open()) }
    try expectRefusalWithTwoNames()
    #expect(try open().counts() == ["Person": 1])
  }

  /// Also while this process has it open.
  @Test func rejectsAnOpenFileWithTwoHardLinks() async throws {
    let store = try open()
    try await write("a", to: store)
    try expectRefusalWithTwoNames()
    try await write("b", to: store)
    #expect(try open().counts() == ["Person": 2])
  }

  @Test func movingADamagedFileAsideInvalidatesAllItsStores() async throws {
    let store = try open()
    try await write("a", to: store)
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce(
      """
      PRAGMA writable_schema=ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_sequence(name)'
        WHERE name = 'sqlite_sequence'
      """)
    IntegrityCheckMarker.set(folder.file().path)
    let other = try open()
    #expect(other.recovery?.reason.code == .corrupt)
    try await write("b", to: other)
    #expect(try other.counts() == ["Person": 1])
    await expectReplaced(store)
    #expect(try open().committed.file?.shared === other.committed.file?.shared)
  }

  @Test func rejectsWritesAfterTheFileWasMoved() async throws {
    let store = try open()
    try await write("a", to: store)
    for suffix in ["-wal", "-shm", ""] {
      try FileManager.default.moveItem(
        at: folder.file("test.store" + suffix), to: folder.file("moved.store" + suffix))
    }
    await expectReplaced(store)
    let other = try open()
    try await write("b", to: other)
    await expectReplaced(store)
    #expect(try other.object(Sample.Person.self, key: "b") != nil)
    #expect(try other.counts() == ["Person": 1])
    #expect(try open(folder.file("moved.store")).counts() == ["Person": 1])
  }

  /// If the file does not belong to the store any more, it is neither written nor, after that,
  /// read.
  private func expectReplaced(_ store: Graph.Store) async {
    let error = await #expect(throws: Graph.StoreError.self) { try await write("lost", to: store) }
    #expect(error?.code == .replaced)
    let reading = #expect(throws: Graph.StoreError.self) { try store.counts() }
    #expect(reading?.code == .replaced)
  }

  /// Like a program that restores a backup: the log of one file does not belong to the other.
  @Test(arguments: [true, false])
  func opensAFileThatReplacedAnOpenFile(isOpenStill: Bool) async throws {
    let backup = folder.file("backup.store")
    do { try await write("b", to: try open(backup)) }
    var store: Graph.Store? = try open()
    try await write("a", to: try #require(store))
    #expect(rename(backup.path, folder.file().path) == 0)
    if !isOpenStill { store = nil }
    do {
      let other = try open()
      #expect(other.recovery == nil)
      #expect(try other.object(Sample.Person.self, key: "b") != nil)
      #expect(try other.counts() == ["Person": 1])
      try await write("c", to: other)
      if let store { await expectReplaced(store) }
      store = nil
      try await write("d", to: other)
      // The log is where another process finds it.
      #expect(FileManager.default.fileExists(atPath: folder.file("test.store-wal").path))
    }
    #expect(try open().counts() == ["Person": 3])
    #expect(try Graph.StoreInspector(file: folder.file()).problems() == [])
    #expect(
      FileManager.default.fileExists(atPath: folder.file("test.store.corrupt-1-wal").path))
  }

  @Test func anOpenFileThatIsRenamedKeepsItsWrites() async throws {
    let moved = folder.file("moved.store")
    var store: Graph.Store? = try open()
    try await write("a", to: try #require(store))
    #expect(rename(folder.file().path, moved.path) == 0)
    for _ in 0..<2 {
      let error = #expect(throws: Graph.StoreError.self) { try open(moved) }
      #expect(error?.code == .busy)
      #expect(error?.message.contains("'\(folder.file().path)'") == true)
    }
    if let store { await expectReplaced(store) }
    store = nil
    do {
      let other = try open(moved)
      #expect(try other.object(Sample.Person.self, key: "a") != nil)
      try await write("b", to: other)
    }
    #expect(try open(moved).counts() == ["Person": 2])
    #expect(try Graph.StoreInspector(file: moved).problems() == [])
    // A new file at the old path contains nothing of it.
    #expect(try open().counts() == [:])
  }

  @Test func rejectsAnOpenFileMovedOverAnotherOpenFile() async throws {
    let second = folder.file("second.store")
    var stores: [Graph.Store] = [try open(), try open(second)]
    try await write("a", to: stores[0])
    try await write("b", to: stores[1])
    #expect(rename(second.path, folder.file().path) == 0)
    let error = #expect(throws: Graph.StoreError.self) { try open() }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("'\(second.path)'") == true)
    for store in stores { await expectReplaced(store) }
    stores = []
    let store = try open()
    #expect(try store.object(Sample.Person.self, key: "b") != nil)
    #expect(try store.counts() == ["Person": 1])
    #expect(try Graph.StoreInspector(file: folder.file()).problems() == [])
  }

  /// The files that remain if a process is killed while it moves a damaged file aside.
  @Test func aNewFileDoesNotUseALeftoverLog() async throws {
    let store = try open()
    try await write("a", to: store)
    let log = try Data(contentsOf: folder.file("test.store-wal"))
    let new = folder.file("new.store")
    try log.write(to: folder.file("new.store-wal"))
    #expect(try open(new).counts() == [:])
    #expect(try Data(contentsOf: folder.file("new.store.corrupt-1-wal")) == log)
  }

  @Test func aStoreObservesWritesOfOtherStores() async throws {
    let (store, other) = (try open(), try open())
    var states = try store.states(of: Sample.Person.self, key: "a").makeAsyncIterator()
    #expect(try #require(try await states.next()) == nil)
    // Without notifications of the system.
    store.commitObserver.withLock { $0 = nil }
    try await write("a", to: other)
    #expect(try await states.next()??.name == "a")
  }
}
