import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Another program deletes the log of an open file, or its index.
@Suite struct LostLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> Graph.Store {
    var configuration = Graph.Store.Configuration()
    // While other tests use all processors, a lock is held for longer.
    configuration.lockTimeout = .seconds(60)
    return try Graph.Store(
      schema: Sample.schema, file: folder.file(), configuration: configuration)
  }

  /// Opens the file when its last connection is closed, which a thread that just used it may delay.
  private func reopen() async throws -> Graph.Store {
    while true {
      do {
        return try open()
      } catch let error as Graph.StoreError where error.code == .busy {
        await Task.yield()
      }
    }
  }

  private func write(_ name: String, to store: Graph.Store) async throws {
    try await store.write(
      json: Array(#"{"id":"\#(name)","name":"\#(name)"}"#.utf8), as: Sample.Person.self)
  }

  private func delete(_ suffixes: [String]) throws {
    for suffix in suffixes {
      try FileManager.default.removeItem(at: folder.file("test.store" + suffix))
    }
  }

  @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
  func aLostLogStopsWritesWithoutLosingData(_ suffixes: [String]) async throws {
    var store: Graph.Store? = try open()
    for name in ["a", "b", "c"] { try await write(name, to: try #require(store)) }
    try delete(suffixes)
    for _ in 0..<2 {
      let error = await #expect(throws: Graph.StoreError.self) {
        try await write("lost", to: try #require(store))
      }
      #expect(error?.code == .replaced)
      #expect(error?.message.contains("\(folder.file().path)-wal") == true)
    }
    #expect(throws: Graph.StoreError.self) { try store?.counts() }
    // SQLite would use the old index for a new log.
    let error = #expect(throws: Graph.StoreError.self) { try open() }
    #expect(error?.code == .busy)
    store = nil
    let other = try await reopen()
    #expect(other.recovery == nil)
    #expect(try other.counts() == ["Person": 3])
    try await write("d", to: other)
    #expect(try Graph.StoreInspector(file: folder.file()).problems() == [])
    #expect(!IntegrityCheckMarker.isSet(folder.file().path))
  }

  @Test func openingASecondStoreDetectsTheLostLog() async throws {
    let store = try open()
    try await write("a", to: store)
    try delete(["-wal"])
    #expect(throws: Graph.StoreError.self) { try open() }
    await #expect(throws: Graph.StoreError.self) { try await write("b", to: store) }
  }

  /// Another process moves a damaged file aside, and has moved only its log so far.
  @Test func openingWaitsForAFileThatIsBeingMovedAside() async throws {
    let store = try open()
    try await write("a", to: store)
    let path = folder.file().path
    let identity = try #require(FileIdentity(path: path))
    let lock = try WriteLock(path: path)
    try lock.take(WaitLimit(.seconds(60)))
    #expect(rename(path + "-wal", folder.file("other-wal").path) == 0)
    async let opening = Task.detached { try open() }.value
    while !LostLogs.contain(identity) { await Task.yield() }
    #expect(rename(path, folder.file("other").path) == 0)
    lock.release()
    let other = try await opening
    #expect(try other.counts() == [:])
    try await write("b", to: other)
  }

  @Test func closingAfterTheLossKeepsAllRecords() async throws {
    do {
      let store = try open()
      try await write("a", to: store)
      try delete(["-wal", "-shm"])
    }
    #expect(try open().counts() == ["Person": 1])
  }

  /// Another process opens the file without the log, and has one of its own, which is not deleted.
  @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
  func keepsTheNewLogOfAnotherProcess(_ suffixes: [String]) async throws {
    var store: Graph.Store? = try open()
    try await write("a", to: try #require(store))
    store?.committed.file?.checkpoint()
    try delete(suffixes)
    // The rows of a killed process: its log stays.
    let process = try ChildProcess(
      BuiltTool("store-writer").url, [folder.file().path], output: .pipe)
    _ = try process.output?.read(upToCount: 1)
    process.kill()
    process.wait()
    let log = try Data(contentsOf: folder.file("test.store-wal"))
    #expect(!log.isEmpty)
    let error = await #expect(throws: Graph.StoreError.self) {
      try await write("lost", to: try #require(store))
    }
    #expect(error?.code == .replaced)
    store = nil
    #expect(try Data(contentsOf: folder.file("test.store-wal")) == log)
    let other = try await reopen()
    #expect(other.recovery == nil)
    #expect(try other.counts()["Person"] ?? 0 >= 1)
    #expect(try other.counts().values.reduce(0, +) > 1)
    #expect(try Graph.StoreInspector(file: folder.file()).problems() == [])
  }

  /// Processes that open and close the file delete its log properly: that is not an error.
  @Test func checkpointsAreNotMistakenForALostLog() async throws {
    let store = try open()
    for number in 0..<20 {
      try await write("\(number)", to: store)
      if number % 3 == 0 { try store.committed.file?.erase() }
      if number % 3 == 1 { _ = try open().counts() }
      if number % 3 == 2 { store.committed.file?.checkpoint() }
    }
    let tool = try BuiltTool("treeswift-store").run([folder.file().path], in: folder.url)
    #expect(tool.status == 0)
    try await write("last", to: store)
    #expect(try store.counts() == ["Person": 21])
  }

  /// Otherwise one check of the folder replaces the checks of the three files.
  @Test(arguments: ["", "-wal", "-shm"], [false, true])
  func detectsAMovedFileAfterALongIdleTime(_ suffix: String, keepsTime: Bool) async throws {
    let store = try open()
    try await write("a", to: store)
    let path = folder.url.path
    while FolderState(path: path)?.isSettled != true { usleep(1_000) }
    let state = try #require(FolderState(path: path))
    for key in ["b", "c"] { try await write(key, to: store) }
    #expect(FolderState(path: path)?.changed == state.changed)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(rename(folder.file().path + suffix, folder.file("other").path) == 0)
    if keepsTime {
      let times = [status.accessed, status.modified]
      #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    }
    let error = await #expect(throws: Graph.StoreError.self) { try await write("lost", to: store) }
    #expect(error?.code == .replaced)
  }

  /// As when a file is mounted over the store's.
  @Test func detectsAMovedFileWithAnUnchangedFolderTime() async throws {
    let path = folder.file().path
    try Data().write(to: folder.file())
    while FolderState(path: folder.url.path)?.isSettled != true { usleep(1_000) }
    let state = try #require(FolderState(path: folder.url.path))
    let location = try FileLocation(path: path) { _ in state }
    try location.check()
    #expect(rename(path, folder.file("other").path) == 0)
    let end = ContinuousClock.now + .seconds(60)
    while !location.isKnownToBeReplaced, .now < end {
      try? location.check()
      usleep(1_000)
    }
    #expect(throws: Graph.StoreError.self) { try location.check() }
  }

  /// A log is found by the path of its file.
  @Test(arguments: [true, false])
  func aFileMovedWithoutItsLogKeepsAllRecords(isNoticedByAWrite: Bool) async throws {
    var store: Graph.Store? = try open()
    for name in ["a", "b", "c"] { try await write(name, to: try #require(store)) }
    #expect(rename(folder.file().path, folder.file("other").path) == 0)
    if isNoticedByAWrite {
      await #expect(throws: Graph.StoreError.self) {
        try await write("lost", to: try #require(store))
      }
    }
    store = nil
    let other = try Graph.Store(schema: Sample.schema, file: folder.file("other"))
    #expect(try other.counts() == ["Person": 3])
    let new = try open()
    #expect(try new.counts() == [:])
  }

  /// The commit of a large transaction takes milliseconds.
  @Test func aFileThatIsMovedDuringACommitIsNoticed() async throws {
    let (from, to) = (folder.file().path, folder.file("other").path)
    let moves = Locked(false)
    var configuration = Graph.Store.Configuration()
    configuration.recorder = { event in
      if case .run(SQL.commit.text) = event, moves.withLock({ $0 }) { rename(from, to) }
    }
    let store = try Graph.Store(
      schema: Sample.schema, file: folder.file(), configuration: configuration)
    try await write("a", to: store)
    moves.withLock { $0 = true }
    let error = await #expect(throws: Graph.StoreError.self) {
      try await store.write {
        try $0.write(json: Array(#"{"id":"b","name":"b"}"#.utf8), as: Sample.Person.self)
      }
    }
    #expect(error?.code == .replaced)
  }
}

extension stat {
  #if canImport(Darwin)
    fileprivate var accessed: timespec { st_atimespec }
    fileprivate var modified: timespec { st_mtimespec }
  #else
    fileprivate var accessed: timespec { st_atim }
    fileprivate var modified: timespec { st_mtim }
  #endif
}
