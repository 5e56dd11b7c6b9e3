import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// `treeswift-store FILE --watch` next to programs that write.
@Suite struct StoreToolWatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String = "test.store") throws -> Graph.Store {
    var configuration = Graph.Store.Configuration()
    // While other tests use all processors, a lock is held for longer.
    configuration.lockTimeout = .seconds(60)
    return try Graph.Store(
      schema: Sample.schema, file: folder.file(name), configuration: configuration)
  }

  private func write(_ json: String, to store: Graph.Store) async throws {
    try await store.write(json: Array(json.utf8), as: Sample.Person.self)
  }

  private func watch(_ options: String...) throws -> LiveTool {
    options.isEmpty
      ? try LiveTool("test.store", "--watch", "--json", in: folder.url)
      : try LiveTool("test.store", "--watch", "--json", options[0], in: folder.url)
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
  }

  @Test func reportsHowObjectsChange() async throws {
    let store = try open()
    try await write(#"[{"id":"1","name":"Ann","club":{"id":"c"}},{"id":"2"}]"#, to: store)
    let tool = try watch()
    let opened = try await tool.event("opened")
    #expect(opened["counts"] == ["Club": 1, "Person": 2])
    try await write(#"{"id":"1","name":"Secret"}"#, to: store)
    #expect(try await tool.event("changed", "Person:1")["fields"] == ["name"])
    try await write(#"{"id":"3","name":"Secret"}"#, to: store)
    let added = try await tool.event("added", "Person:3")
    #expect(added["fields"] == ["__typename", "id", "name"])
    _ = try await store.logout(.everything)
    _ = try await tool.event("logout")
    _ = try await tool.event("deleted", "Person:3")
    #expect(tool.interrupt() == .exit(0))
    #expect(!(try tool.text().contains("Secret")))
  }

  @Test func showsValuesWithTheOption() async throws {
    let store = try open()
    try await write(#"{"id":"1","name":"Ann"}"#, to: store)
    let tool = try watch("--values")
    _ = try await tool.event("opened")
    try await write(#"{"id":"1","name":"Bea"}"#, to: store)
    #expect(try await tool.event("changed", "Person:1")["fields"] == ["name": "Bea"])
    #expect(tool.interrupt() == .exit(0))
  }

  @Test func writesALineForEachEventToAPipe() async throws {
    let store = try open()
    let tool = try LiveTool("test.store", "--watch", in: folder.url)
    try await wait { try tool.text().contains(" opened ") }
    try await write(#"{"id":"\u001B[2J","name":"Ann"}"#, to: store)
    try await wait { try tool.text().contains(" commit ") }
    #expect(tool.interrupt() == .exit(0))
    let lines = try tool.text().split(separator: "\n")
    #expect(lines.count == 3)
    // The key could control the terminal of a reader.
    #expect(lines[1].hasSuffix(#" added    Person:\u{1B}[2J __typename, id, name"#))
  }

  /// The file does not exist at first, and the writer is killed and started again.
  @Test func followsAProcessThatIsKilled() async throws {
    let tool = try watch()
    _ = try await tool.event("waiting")
    #expect(try names().isEmpty)
    for run in 1...2 {
      let writer = try ChildProcess(
        BuiltTool("store-writer").url, [folder.file().path, "100"], output: .null)
      try await wait { try tool.count("commit") >= run * 3 }
      writer.kill()
      writer.wait()
    }
    let store = try open()
    try await write(#"{"id":"last"}"#, to: store)
    _ = try await tool.event("added", "Person:last")
    #expect(tool.interrupt() == .exit(0))
    #expect(try tool.count("failed") == 0)
    #expect(try Graph.StoreInspector(file: folder.file()).problems().isEmpty)
  }

  @Test func reportsAFileThatIsMovedAndReplaced() async throws {
    try await write(#"{"id":"1"}"#, to: open())
    try await write(#"{"id":"2"}"#, to: open("second"))
    try await write(#"{"id":"3"}"#, to: open("third"))
    // A process that just used a file may close it later.
    try await wait { try names().allSatisfy { !$0.hasSuffix("-wal") } }
    let tool = try watch()
    _ = try await tool.event("opened")
    #expect(rename(folder.file().path, folder.file("aside").path) == 0)
    _ = try await tool.event("gone")
    #expect(rename(folder.file("second").path, folder.file().path) == 0)
    try await wait { try tool.count("opened") == 2 }
    #expect(rename(folder.file("third").path, folder.file().path) == 0)
    _ = try await tool.event("replaced")
    try await wait { try tool.count("opened") == 3 }
    #expect(tool.interrupt() == .exit(0))
  }

  @Test func reportsAFileThatBecomesUnreadable() async throws {
    try await write(#"{"id":"1"}"#, to: open())
    try await wait { !FileSafety.exists(folder.file().path + "-wal") }
    let tool = try watch()
    _ = try await tool.event("opened")
    try Data("text".utf8).write(to: folder.file())
    let failed = try await tool.event("failed")
    #expect(failed["error"] != nil)
    #expect(tool.interrupt() == .exit(0))
  }

  @Test func leavesNoFilesNextToAClosedStore() async throws {
    try await write(#"{"id":"1"}"#, to: open())
    try await wait { try names().allSatisfy { !$0.hasSuffix("-wal") } }
    let (before, data) = (try names(), try Data(contentsOf: folder.file()))
    let tool = try watch()
    _ = try await tool.event("opened")
    #expect(tool.interrupt() == .exit(0))
    #expect(
      try BuiltTool("treeswift-store").run(["test.store", "--queue"], in: folder.url).status == 0)
    #expect(try names() == before)
    #expect(try Data(contentsOf: folder.file()) == data)
  }

  /// A reader with an open connection would keep the log.
  @Test func aStoreThatClosesRemovesItsLog() async throws {
    let tool = try watch()
    var number = 0
    try await wait {
      number += 1
      do {
        let store = try open()
        try await write(#"{"id":"\#(number)"}"#, to: store)
        _ = try await tool.event("opened")
      }
      // The tool may be reading at the moment at which the store closes.
      return !FileSafety.exists(folder.file().path + "-wal")
    }
    #expect(tool.process.isRunning)
    #expect(tool.interrupt() == .exit(0))
  }

  /// The log starts again from its beginning, so it does not grow without limit.
  @Test func checkpointsContinue() async throws {
    let tool = try watch()
    let writer = try ChildProcess(
      BuiltTool("store-writer").url, [folder.file().path, "100"], output: .null)
    var (restarts, commits) = (0, 0)
    var known: Data?
    try await wait {
      let log = try? FileHandle(forReadingFrom: folder.file("test.store-wal"))
      // The number of checkpoints, and a random number: SQLite's file format, section 4.1.
      let header = try log?.read(upToCount: 20)?.dropFirst(12)
      if let header, header.count == 8, Data(header) != known {
        if known != nil { restarts += 1 }
        known = Data(header)
        commits = try tool.count("commit")
      }
      return restarts >= 3 && commits > 0
    }
    writer.kill()
    #expect(tool.process.isRunning)
    #expect(tool.interrupt() == .exit(0))
  }

  @Test(arguments: ["--watch", "--queue", "--operation"])
  func rejectsFilesThatCannotBeRead(_ option: String) async throws {
    try await write(#"{"id":"1"}"#, to: open())
    try await write(#"{"id":"1"}"#, to: open("damaged"))
    try await wait { try names().allSatisfy { !$0.hasSuffix("-wal") } }
    try DatabaseConnection(path: folder.file().path, mode: .writer)
      .executeOnce("PRAGMA user_version = 99")
    try await wait { try names().allSatisfy { !$0.hasSuffix("-wal") } }
    var damaged = try Data(contentsOf: folder.file("damaged"))
    damaged.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
    try damaged.write(to: folder.file("damaged"))
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 167) }).write(
      to: folder.file("encrypted"))
    try FileManager.default.createDirectory(
      at: folder.file("folder"), withIntermediateDirectories: true)
    let before = try names()
    for (name, message) in [
      ("test.store", "the file has format 99; this version reads 4"), ("damaged", "malformed"),
      ("encrypted", "not a database"), ("folder", "not a regular file"),
      ("no/test.store", "no/"),
    ] {
      let arguments = [name, option] + (option == "--operation" ? ["1"] : [])
      let result = try BuiltTool("treeswift-store").run(arguments, in: folder.url)
      #expect(result.status == 1 && result.output.isEmpty, "\(name)")
      #expect(result.error.hasPrefix("treeswift-store: \(name): "))
      #expect(result.error.contains(message), "\(result.error)")
    }
    #expect(try names() == before)
  }
}
