import Foundation
import Testing

@testable import benchmarks

/// A run prints a warning if it is more expensive than the recorded run.
@Suite struct BaselineTests {
  private let recorded = Baseline(ratios: ["reading: root": 0.02, "building: build": 0.4])

  private func warnings(_ ratios: [String: Double], isComplete: Bool = true) -> [String] {
    Baseline(ratios: ratios).warnings(against: recorded, isComplete: isComplete)
  }

  @Test func tenPercentIncreaseCausesNoWarning() {
    #expect(warnings(["reading: root": 0.0219, "building: build": 0.1]) == [])
  }

  @Test func increaseAboveTenPercentCausesWarning() {
    #expect(
      warnings(["reading: root": 0.0221, "building: build": 0.5]) == [
        "building: build: ratio 0.5, was 0.4", "reading: root: ratio 0.0221, was 0.02",
      ])
  }

  @Test func newRowsCauseNoWarning() {
    #expect(
      warnings(["reading: root": 0.02, "building: build": 0.4, "reading: new": 9]) == [])
  }

  @Test func missingRowsCauseWarningInCompleteRun() {
    #expect(warnings(["building: build": 0.4]) == ["reading: root: not measured, was 0.02"])
    #expect(warnings(["building: build": 0.4], isComplete: false) == [])
  }

  @Test func failedRowsCauseWarning() {
    #expect(
      warnings(["reading: root": .nan, "building: build": 0.4]) == [
        "reading: root: failed, was 0.02"
      ])
  }

  @Test func fileRoundTrips() throws {
    try withFile { path in
      try Baseline(ratios: ["a": 0.123456789, "b": 12, "failed": .nan]).write(to: path)
      #expect(try Baseline(at: path) == Baseline(ratios: ["a": 0.12346, "b": 12]))
    }
  }

  @Test(arguments: ["[1]", #"{"a":"1"}"#, #"{"a":0}"#, "{"])
  func rejectsMalformedFile(text: String) throws {
    try withFile { path in
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(throws: (any Error).self) { try Baseline(at: path) }
    }
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "baseline-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }
}

/// The text about the figures of a row.
@Suite struct BenchmarkSuiteTests {
  @Test func alternatesRowsAndComparesMedians() {
    var calls: [String] = []
    func row(_ name: String, _ figures: [Double], isReference: Bool = false) -> Suite.Row {
      var left = figures
      return Suite.Row(name: name, isReference: isReference) {
        calls.append(name)
        return left.removeFirst()
      }
    }
    let suite = Suite(
      name: "suite", unit: .time,
      rows: [row("ours", [99, 1, 5, 2]), row("peer", [99, 4, 3, 8], isReference: true)])
    let result = suite.measured(suite.rows, runs: 3)
    #expect(calls == ["ours", "peer", "ours", "peer", "ours", "peer", "ours", "peer"])
    #expect(result.rows.map(\.median) == [2, 4])
    #expect(result.rows[0].low == 1)
    #expect(result.rows[0].high == 5)
    #expect(result.rows.map(\.ratio) == [0.5, 1])
    #expect(Report(suites: [result]).baseline.ratios == ["suite: ours": 0.5, "suite: peer": 1])
  }
}
