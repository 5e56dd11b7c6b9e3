import Foundation
import GraphClient
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphTelemetry

struct JSONLogTests {
  private final class Lines: Sendable {
    private let bytes = Locked<[UInt8]>([])

    func add(_ bytes: [UInt8]) { self.bytes.withLock { $0 += bytes } }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    /// Each line as Foundation reads it.
    var objects: [[String: Any]] {
      get throws {
        try text.split(separator: "\n").map {
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
      }
    }
  }

  private let lines = Lines()

  private func log(
    _ events: [Graph.ObservedEvent], _ detail: Graph.JSONLog.Detail = .steps
  ) async throws -> [[String: Any]] {
    let log = Graph.JSONLog(detail) { [lines] in lines.add($0) }
    for event in events { log.observe(event) }
    await log.flush()
    return try lines.objects
  }

  @Test func aLineHasTheCallAndTheStep() async throws {
    let call = Sample.call("Sh\"op\n", trace: Sample.trace)
    let line = try #require(
      await log([Sample.event(.cacheRead(.hit(age: .seconds(2))), call)]).first)
    #expect(line["time"] as? String == "2023-11-14T22:13:20.250Z")
    #expect(line["event"] as? String == "cache_read" && line["result"] as? String == "hit")
    #expect(line["age_ms"] as? Double == 2000 && line["duration_ms"] as? Double == 20)
    #expect(line["call"] as? Int == 7 && line["operation"] as? String == "Sh\"op\n")
    #expect(line["kind"] as? String == "query")
    #expect(line["endpoint"] as? String == "https://shop.example:443/graphql")
    #expect(line["trace_id"] as? String == "0af7651916cd43dd8448eb211c80319c")
    #expect(line["span_id"] as? String == "b7ad6b7169203331")
  }

  @Test func eachStepIsALine() async throws {
    let events = Sample.all()
    let logged = try await log(events)
    #expect(logged.map { $0["event"] as? String } == events.map { $0.step.name })
    #expect(!lines.text.contains("secret"))
    let attempt = try #require(logged.first { $0["event"] as? String == "attempt" })
    #expect(attempt["error"] as? String == "status" && attempt["status"] as? Int == 503)
    let retry = try #require(logged.first { $0["event"] as? String == "retry" })
    #expect(retry["reason"] as? String == "status_503" && retry["delay_ms"] as? Double == 1500)
  }

  @Test func callsAreTheDefault() async throws {
    let names = try await log(Sample.all(), .calls).compactMap { $0["event"] as? String }
    #expect(
      names == [
        "retry", "retry", "retry", "stored", "connection_ended", "ended", "queued_operation",
      ])
  }

  @Test func aSlowFileDelaysNothing() async throws {
    let latch = DispatchSemaphore(value: 0)
    let log = Graph.JSONLog(.steps) { [lines] in
      latch.wait()
      latch.signal()
      lines.add($0)
    }
    for _ in 0..<25_000 { log.observe(Sample.event(.began)) }
    latch.signal()
    await log.flush()
    let logged = try lines.objects
    let dropped = logged.compactMap { $0["count"] as? Int }.reduce(0, +)
    #expect(logged.count { $0["event"] as? String == "began" } + dropped == 25_000)
    #expect(dropped >= 5000 && dropped <= 15_000)
  }

  /// The reader of a pipe has ended. The signal that writing raises would end the process.
  @Test func aPipeWithoutAReaderIsIgnored() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let log = Graph.JSONLog(.steps, to: pipe.fileHandleForWriting)
    for _ in 0..<3 {
      log.observe(Sample.event(.began))
      await log.flush()
    }
    try pipe.fileHandleForWriting.close()
    log.observe(Sample.event(.began))
    await log.flush()
  }

  @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity)])
  func oddDatesAreWritten(date: Date) async throws {
    let event = Graph.ObservedEvent(call: Sample.call(), step: .began, date: date)
    let time = try #require(await log([event]).first?["time"] as? String)
    #expect(time.utf8.count == 24)
  }

  @Test func aFileThatCannotBeWrittenIsIgnored() async throws {
    let file = try TemporaryFolder().file()
    try Data().write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    let log = Graph.JSONLog(.steps, to: handle)
    log.observe(Sample.event(.began))
    await log.flush()
    #expect(try Data(contentsOf: file).isEmpty)
  }
}
