import Foundation
import GraphQLRuntime
import GraphStore

// Each operation in turns with plain SQLite on the same data in the same run; the median of the
// rounds, in microseconds of processor time per object.

let count = 1000
let rounds = 15
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

/// The processor time of all threads: a machine that does other things does not change it.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = processorTime()
  try body()
  return processorTime() - start
}

func microseconds(_ body: () async throws -> Void) async rethrows -> Double {
  let start = processorTime()
  try await body()
  return processorTime() - start
}

/// Runs `body` on a queue of its own, as the store's writer runs: on Linux the heap of such a thread
/// grows by a system call for every few pages, that of the main thread does not.
let queue = DispatchQueue(label: "raw", qos: .utility)

func onQueue(_ body: @escaping @Sendable () -> Void) async -> Double {
  await microseconds {
    await withCheckedContinuation { continuation in
      queue.async {
        body()
        continuation.resume()
      }
    }
  }
}

func report(_ name: String, _ mine: [Double], _ raw: [Double]) {
  let mine = mine.sorted()[mine.count / 2] / Double(count)
  let raw = raw.isEmpty ? nil : raw.sorted()[raw.count / 2] / Double(count)
  let text = raw.map { String(format: "raw %6.2f  ratio %.2f", $0, mine / $0) } ?? ""
  print(
    String(
      format: "%@ %6.2f us  %@", name.padding(toLength: 22, withPad: " ", startingAt: 0), mine, text
    ))
}

var inserts: ([Double], [Double]) = ([], [])
var updates: ([Double], [Double]) = ([], [])
var unchanged: [Double] = []
var reads: ([Double], [Double]) = ([], [])
var singles: ([Double], [Double]) = ([], [])
var wholes: [Double] = []
print("record: \(person(1, 1).utf8.count) bytes")
for round in 0..<rounds {
  let store = try Store(
    schema: Sample.schema, file: folder.appending(path: "\(round).store"))
  let raw = RawSQLite(path: folder.appending(path: "\(round).sqlite").path)
  let first = try response(0)
  let second = try response(1)
  let firstRows = rows(0)
  let secondRows = rows(1)
  try inserts.0.append(await microseconds { try await store.write(first, of: operation) })
  inserts.1.append(await onQueue { raw.insert(firstRows) })
  try updates.0.append(await microseconds { try await store.write(second, of: operation) })
  updates.1.append(await onQueue { raw.update(secondRows) })
  try unchanged.append(await microseconds { try await store.write(second, of: operation) })
  let keys = (0..<count).map { "gid://sample/Person/\($0)" }
  _ = try store.object(Sample.Person.self, key: keys[0])
  try reads.0.append(
    microseconds {
      for key in keys { _ = try store.object(Sample.Person.self, key: key) }
    })
  let rawKeys = keys.map { Array($0.utf8) }
  var bytes = 0
  reads.1.append(microseconds { for key in rawKeys { bytes += raw.read(key).count } })
  try wholes.append(microseconds { _ = try store.read(operation) })
  if CommandLine.arguments.contains("--bulk") { continue }
  try singles.0.append(
    await microseconds {
      for number in 0..<count {
        try await store.write(
          json: Array("{\"id\":\"gid://sample/Person/\(number)\",\"age\":\(round + 7)}".utf8),
          as: Sample.Person.self)
      }
    })
  let thirdRows = rows(round + 7)
  var single = 0.0
  for row in thirdRows { single += await onQueue { raw.updateOne(row) } }
  singles.1.append(single)
}
report("insert", inserts.0, inserts.1)
report("update", updates.0, updates.1)
report("unchanged", unchanged, [])
report("read by key", reads.0, reads.1)
report("read a query", wholes, [])
if !singles.0.isEmpty { report("one-row transactions", singles.0, singles.1) }
try FileManager.default.removeItem(at: folder)
