import Foundation
import GraphQLRuntime
import GraphStore

// Measures each operation alternately with plain SQLite and GRDB on the same data in the same run;
// prints the median of the rounds, in microseconds of processor time per object.

let count = 1000
let pageSize = 50
let rounds = CommandLine.arguments.contains("--short") ? 5 : 15
let folder = FileManager.default.temporaryDirectory.appending(path: "store-benchmark")
try? FileManager.default.removeItem(at: folder)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

let query = Sample.buildQuery {
  $0.search(text: "x") {
    $0.onPlace { $0.name() }
      .onPerson {
        $0.id().name().age().score().active().nicknames()
      }
  }
}
let operation = try query.operation()

func person(_ number: Int, _ round: Int) -> String {
  let names = (0..<6).map { "\"\(String(repeating: "nickname \($0) ", count: 6))\"" }
  return """
    {"__typename":"Person","id":"gid://sample/Person/\(number)","name":"Person number \(number)",\
    "age":\(round),"score":1.25,"active":true,"nicknames":[\(names.joined(separator: ","))]}
    """
}

func response(_ round: Int) throws -> GraphQL.Response<Sample.Query> {
  let persons = (0..<count).map { person($0, round) }.joined(separator: ",")
  return try operation.response(from: Array("{\"data\":{\"search\":[\(persons)]}}".utf8))
}

func rows(_ round: Int) -> [(key: [UInt8], record: [UInt8])] {
  (0..<count).map { (Array("gid://sample/Person/\($0)".utf8), Array(person($0, round).utf8)) }
}

func texts(_ round: Int) -> [(key: String, record: String)] {
  (0..<count).map { ("gid://sample/Person/\($0)", person($0, round)) }
}

/// Reads every field of an object.
func fields(_ person: Sample.Person) -> Int {
  person.id.rawValue.utf8.count + person.name.utf8.count + (person.age ?? 0)
    + (person.active ? 1 : 0) + Int(person.score ?? 0)
    + person.nicknames.reduce(0) { $0 + $1.utf8.count }
}

/// The same from bytes, decoded with Foundation.
func fields(decoding record: [UInt8]) throws -> Int {
  let person = try JSONDecoder().decode(PlainPerson.self, from: Data(record))
  return person.id.utf8.count + person.name.utf8.count + person.age
    + (person.active ? 1 : 0) + Int(person.score)
    + person.nicknames.reduce(0) { $0 + $1.utf8.count }
}

struct PlainPerson: Decodable {
  let id: String
  let name: String
  let age: Int
  let score: Double
  let active: Bool
  let nicknames: [String]
}

var insert = Row("insert", count: count)
var update = Row("update", count: count)
var unchanged = Row("unchanged", count: count)
var read = Row("read by key", count: count)
var page = Row("page of \(pageSize), per object", count: 20 * pageSize)
var readFields = Row("the same, every field read", count: count)
var pageFields = Row("the same, every field read", count: 20 * pageSize)
var whole = Row("read a query", count: count)
var single = Row("one-row transactions", count: count)

print("record: \(person(1, 1).utf8.count) bytes")
for round in 0..<rounds {
  let store = try Graph.Store(
    schema: Sample.schema, file: folder.appending(path: "\(round).store"))
  let raw = RawSQLite(path: folder.appending(path: "\(round).sqlite").path)
  let grdb = try GRDBStore(path: folder.appending(path: "\(round).grdb").path)
  let (first, second) = (try response(0), try response(1))
  let (firstRows, secondRows) = (rows(0), rows(1))
  let (firstTexts, secondTexts) = (texts(0), texts(1))
  insert.store.append(try await microseconds { try await store.write(first, of: operation) })
  insert.raw.append(try await onQueue { raw.insert(firstRows) })
  insert.grdb.append(try await onQueue { try grdb.upsert(firstTexts) })
  update.store.append(try await microseconds { try await store.write(second, of: operation) })
  update.raw.append(try await onQueue { raw.update(secondRows) })
  update.grdb.append(try await onQueue { try grdb.upsert(secondTexts) })
  unchanged.store.append(try await microseconds { try await store.write(second, of: operation) })

  let keys = (0..<count).map { "gid://sample/Person/\($0)" }
  let rawKeys = keys.map { Array($0.utf8) }
  var bytes = 0
  _ = try store.object(Sample.Person.self, key: keys[0])
  _ = try grdb.read(keys[0])
  read.store.append(
    try microseconds { for key in keys { _ = try store.object(Sample.Person.self, key: key) } })
  read.raw.append(microseconds { for key in rawKeys { bytes += raw.read(key).count } })
  read.grdb.append(try microseconds { for key in keys { _ = try grdb.read(key) } })
  readFields.store.append(
    try microseconds {
      for key in keys { bytes += try store.object(Sample.Person.self, key: key).map(fields) ?? 0 }
    })
  readFields.raw.append(
    try microseconds { for key in rawKeys { bytes += try fields(decoding: raw.read(key)) } })
  readFields.grdb.append(
    try microseconds {
      for key in keys { bytes += try fields(decoding: Array((grdb.read(key) ?? "").utf8)) }
    })
  let fetch = store.fetch(Sample.Person.self).limit(pageSize)
  page.store.append(try microseconds { for _ in 0..<20 { _ = try fetch.all() } })
  page.raw.append(microseconds { for _ in 0..<20 { bytes += raw.page(limit: pageSize).count } })
  page.grdb.append(
    try microseconds { for _ in 0..<20 { _ = try grdb.page(offset: 0, limit: pageSize) } })
  pageFields.store.append(
    try microseconds {
      for _ in 0..<20 { for person in try fetch.all() { bytes += fields(person) } }
    })
  pageFields.raw.append(
    try microseconds {
      for _ in 0..<20 {
        for row in raw.page(limit: pageSize) { bytes += try fields(decoding: row.record) }
      }
    })
  pageFields.grdb.append(
    try microseconds {
      for _ in 0..<20 {
        for record in try grdb.page(offset: 0, limit: pageSize) {
          bytes += try fields(decoding: Array(record.utf8))
        }
      }
    })
  whole.store.append(try microseconds { _ = try store.read(operation) })
  if CommandLine.arguments.contains("--bulk") { continue }
  // In a task off the main thread, where each call would change threads twice.
  single.store.append(
    try await microseconds {
      try await Task.detached {
        for number in 0..<count {
          try await store.write(
            json: Array("{\"id\":\"gid://sample/Person/\(number)\",\"age\":\(round + 7)}".utf8),
            as: Sample.Person.self)
        }
      }.value
    })
  let (thirdRows, thirdTexts) = (rows(round + 7), texts(round + 7))
  single.raw.append(try await onQueue { for row in thirdRows { raw.updateOne(row) } })
  single.grdb.append(try await onQueue { for text in thirdTexts { try grdb.upsert([text]) } })
}
let all = [insert, update, unchanged, read, readFields, page, pageFields, whole, single]
for row in all { row.report() }
try await reportConnections()
try await reportObservers()
try await reportLiveQueries()
try await reportLiveLists()
try await reportPendingChanges()
try FileManager.default.removeItem(at: folder)
