import GraphQLRuntime
import Testing

@testable import GraphStore

/// Records the statements of a store.
final class StatementLog: Sendable {
  private let events = Locked<[SQLEvent]>([])

  var recorder: SQLRecorder {
    { [self] event in events.withLock { $0.append(event) } }
  }

  var all: [SQLEvent] { events.withLock { $0 } }

  /// The statements that ran since the last call, without the check for commits of other processes,
  /// which runs whenever the log was written.
  func takeRun() -> [String] {
    events.withLock { events in
      defer { events = [] }
      return events.compactMap { if case .run(let sql) = $0 { sql } else { nil } }
        .filter { $0 != SQL.dataVersion.text }
    }
  }
}

@Suite struct StatementTests {
  private let log = StatementLog()
  private let store: Graph.Store

  init() throws {
    var configuration = Graph.Store.Configuration()
    configuration.recorder = log.recorder
    store = try StoreKind.file.make(configuration)
  }

  private func write(_ json: String) async throws {
    try await store.write(json: Array(json.utf8), as: Sample.Person.self)
  }

  @Test func preparesEachStatementOncePerConnection() async throws {
    for round in 0..<3 {
      try await write(#"[{"id":"1","age":\#(round)},{"id":"new\#(round)"}]"#)
      _ = try store.object(Sample.Person.self, id: "1")
      _ = try store.count(of: Sample.Person.self)
      _ = try store.counts()
      try await store.write { try $0.delete(Sample.Person.self, key: "new0") }
    }
    let prepared = log.all.compactMap { if case .prepare(let sql) = $0 { sql } else { nil } }
    // The writer's connection and a reader's: each prepares a statement at most once.
    for sql in Set(prepared) { #expect(prepared.count { $0 == sql } <= 2, "\(sql)") }
  }

  @Test func anUnchangedWriteRunsNoWritingStatement() async throws {
    let json = #"[{"id":"1","name":"Ann"},{"id":"2","name":"Bea"}]"#
    try await write(json)
    _ = log.takeRun()
    try await write(json)
    #expect(log.takeRun() == [SQL.beginImmediate.text, SQL.commit.text])
  }

  @Test func insertsNewRowsInGroupsOfEight() async throws {
    let persons = (0..<10).map {
      #"{"id":"p\#($0)","name":"a","club":{"id":"c\#($0)","name":"b"}}"#
    }
    try await write("[\(persons.joined(separator: ","))]")
    let run = log.takeRun()
    #expect(run.count { $0 == SQL.insertRecords.text } == 2)
    #expect(run.count { $0 == SQL.insertRecord.text } == 4)
    // Each row has the number that was returned for it: the row that is changed now is the one that
    // was inserted.
    #expect(
      try store.fetch(Sample.Person.self).all().map(\.id.rawValue) == (0..<10).map { "p\($0)" })
    let changed = (0..<10).map { #"{"id":"p\#($0)","name":"new \#($0)"}"# }
    try await write("[\(changed.joined(separator: ","))]")
    for number in 0..<10 {
      #expect(try store.object(Sample.Person.self, key: "p\(number)")?.name == "new \(number)")
      #expect(try store.object(Sample.Club.self, key: "c\(number)")?.name == "b")
    }
  }

  @Test func aReadByKeyRunsOneStatement() async throws {
    try await write(#"{"id":"1","name":"Ann"}"#)
    _ = try store.object(Sample.Person.self, id: "1")
    _ = log.takeRun()
    _ = try store.object(Sample.Person.self, id: "1")
    #expect(log.takeRun() == [SQL.record.text])
  }

  @Test func everyLookupUsesAnIndex() throws {
    let pool = try #require(store.committed.file?.pool)
    let connection = try pool.begin()
    for sql in [SQL.record, .recordsOfType, .countOfType, .updateRecord, .deleteRecord] {
      let plan = try connection.plan(sql.text)
      #expect(plan.contains("SEARCH entity USING") && !plan.contains("SCAN"), "\(sql): \(plan)")
    }
    // The cost of a page of a type does not depend on the number of objects of the type.
    #expect(try !connection.plan(SQL.recordsOfType.text).contains("TEMP B-TREE"))
  }
}

extension DatabaseConnection {
  /// SQLite's plan for a statement.
  func plan(_ sql: String) throws -> String {
    let statement = try Statement("EXPLAIN QUERY PLAN " + sql, on: handle, isKept: false)
    defer { statement.finalize() }
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(3)) }
    return lines.joined(separator: "; ")
  }
}
