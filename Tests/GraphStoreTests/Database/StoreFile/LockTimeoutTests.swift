import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Waiting for a lock has a limit.
@Suite struct LockTimeoutTests {
  private let folder: TemporaryFolder
  private let configuration: Graph.Store.Configuration

  init() throws {
    folder = try TemporaryFolder()
    var configuration = Graph.Store.Configuration()
    configuration.lockTimeout = .milliseconds(20)
    self.configuration = configuration
  }

  private func open() throws -> Graph.Store {
    try Graph.Store(schema: Sample.schema, file: folder.file(), configuration: configuration)
  }

  private func write(_ id: String, to store: Graph.Store) async throws {
    try await store.write(json: Array(#"{"id":"\#(id)"}"#.utf8), as: Sample.Person.self)
  }

  @Test func theDefaultTimeoutIsFiveSeconds() {
    #expect(Graph.Store.Configuration().lockTimeout == .seconds(5))
  }

  @Test func writesTimeOutIfAnotherProcessHasTheLock() async throws {
    let store = try open()
    let other = try ProcessLock(path: folder.file().path + "-lock")
    #expect(other.tryToTake())
    for id in ["1", "2"] {
      let error = await #expect(throws: Graph.StoreError.self) { try await write(id, to: store) }
      #expect(error?.code == .busy)
      #expect(error?.message.contains("'test.store-lock'") == true)
    }
    // Reading does not wait.
    #expect(try store.counts() == [:])
    other.release()
    try await write("3", to: store)
    #expect(try store.counts() == ["Person": 1])
  }

  @Test func openingTimesOutIfAnotherProcessHasTheLock() throws {
    do { _ = try open() }
    let other = try ProcessLock(path: folder.file().path + "-lock")
    #expect(other.tryToTake())
    let error = #expect(throws: Graph.StoreError.self) { try open() }
    #expect(error?.code == .busy)
    other.release()
    #expect(try open().counts() == [:])
  }

  @Test func aWriteTimesOutDuringAnotherProgramsTransaction() async throws {
    let store = try open()
    let other = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try other.executeOnce("BEGIN IMMEDIATE")
    let error = await #expect(throws: Graph.StoreError.self) { try await write("1", to: store) }
    #expect(error?.code == .busy)
    try other.executeOnce("COMMIT")
    try await write("1", to: store)
  }

  /// The stores share their connections, and each waits for its own time.
  @Test(.timeLimit(.minutes(5)))
  func eachStoreUsesItsOwnTimeout() async throws {
    var patient = Graph.Store.Configuration()
    patient.lockTimeout = .seconds(3600)
    let first = try Graph.Store(schema: Sample.schema, file: folder.file(), configuration: patient)
    let store = try open()
    let other = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try other.executeOnce("BEGIN IMMEDIATE")
    let error = await #expect(throws: Graph.StoreError.self) { try await write("1", to: store) }
    #expect(error?.code == .busy)
    let reader = try #require(store.committed.file).pool.begin()
    #expect(reader.busyTimeout <= 20)
    store.committed.file?.pool.end(reader)
    try other.executeOnce("COMMIT")
    try await write("2", to: first)
    #expect(try #require(first.committed.file?.shared.writer).busyTimeout > 1_000_000)
  }

  /// Otherwise a process would wait for itself forever.
  @Test func aNestedWriteOfAnotherStoreTimesOut() async throws {
    let store = try open()
    let inner = try await store.write { [self] transaction in
      try transaction.write(json: Array(#"{"id":"1"}"#.utf8), as: Sample.Person.self)
      let inner = try open()
      let ended = DispatchSemaphore(value: 0)
      let thrown = Locked<Graph.StoreError?>(nil)
      inner.write(json: Array(#"{"id":"2"}"#.utf8), as: Sample.Person.self, ended, thrown)
      ended.wait()
      #expect(thrown.withLock { $0?.code } == .busy)
      #expect(thrown.withLock { $0?.message.contains("another store of this process") } == true)
      return inner
    }
    #expect(try inner.counts() == ["Person": 1])
    try await write("2", to: inner)
    #expect(try store.counts() == ["Person": 2])
  }

  /// A process that writes without a pause lets other processes write, too.
  @Test func aContinuousWriterDoesNotStarveOtherProcesses() async throws {
    let store = try open()
    let other = try ProcessLock(path: folder.file().path + "-lock")
    let isOver = Locked(false)
    async let writing: Void = {
      var age = 0
      while !isOver.withLock({ $0 }) {
        age += 1
        let json = Array(#"{"id":"1","age":\#(age)}"#.utf8)
        try await store.write { transaction in
          try transaction.write(json: json, as: Sample.Person.self)
          // Longer than the interval at which a waiting process checks the lock.
          usleep(3000)
        }
      }
    }()
    for _ in 0..<20 {
      try other.take(WaitLimit(.seconds(60)))
      other.release()
    }
    isOver.withLock { $0 = true }
    try await writing
  }
}

extension Graph.Store {
  fileprivate func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, _ ended: DispatchSemaphore,
    _ thrown: Locked<Graph.StoreError?>
  ) {
    writer.perform {
      _ = try $0.write(json: json, as: type)
    } completion: { result in
      if case .failure(let error as Graph.StoreError) = result { thrown.withLock { $0 = error } }
      ended.signal()
    }
  }
}
