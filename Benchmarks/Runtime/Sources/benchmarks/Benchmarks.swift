import Foundation

/// Measures the generator, the reading of responses, the building of queries and the client,
/// compared with their peers.
///
/// Usage: swift run -c release --package-path Benchmarks/Runtime benchmarks
///          [--filter TEXT] [--runs N] [--json FILE] [--baseline FILE] [--record-baseline FILE]
///
/// The filter is a part of the names of suites or rows.
///
/// Times depend on the machine and on its load, so a row is quoted by its ratio to the suite's
/// reference, which is measured alternately with it in the same run.
@main
struct Benchmarks {
  static func main() {
    do {
      try run(Options(CommandLine.arguments.dropFirst()))
    } catch let usage as Options.Usage {
      Console.error(usage.description)
      exit(2)
    } catch {
      Console.error("error: \(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    #if DEBUG
      Console.error("note: the figures of a debug build mean little; use `swift run -c release`")
    #endif
    var results: [SuiteResult] = []
    for suite in try suites() {
      let rows = suite.rows.filter { row in
        options.filter.map { suite.name.contains($0) || row.name.contains($0) } ?? true
      }
      guard !rows.isEmpty else { continue }
      let result = suite.measured(rows, runs: options.runs)
      print(Table(result).text)
      results.append(result)
    }
    let report = Report(suites: results)
    if let path = options.json { try report.write(to: path) }
    if let path = options.recordBaseline { try report.baseline.write(to: path) }
    if let path = options.baseline {
      let warnings = report.baseline.warnings(
        against: try Baseline(at: path), isComplete: options.filter == nil)
      warnings.forEach { Console.error("warning: \($0)") }
      if warnings.isEmpty { print("No ratio is more than 10 % above \(path).") }
    }
  }

  private static func suites() throws -> [Suite] {
    [
      try ReadingSuite.suite("Reading a response of 1 MB", byteCount: 1_000_000),
      try ReadingSuite.suite("Reading a response of 20 KB", byteCount: 20_000),
      try EqualitySuite.suite(byteCount: 1_000_000),
      try MemorySuite.suite(byteCount: 10_000_000),
      try BuildingSuite.suite(),
      try GeneratingSuite.suite(),
      try ClientSuite.small(),
      try ClientSuite.listing(byteCount: 20_000, width: 1),
      try ClientSuite.listing(byteCount: 20_000, width: 6),
      try ClientSuite.listing(byteCount: 20_000, width: 6, clock: .processor),
      try ClientSuite.endpoint(),
      try ObserverSuite.suite(cached: false),
      try ObserverSuite.suite(cached: true),
    ]
  }
}

/// The command line.
struct Options {
  var filter: String?
  var runs = 15
  var json: String?
  var baseline: String?
  var recordBaseline: String?

  struct Usage: Error, CustomStringConvertible {
    let description =
      "usage: benchmarks [--filter TEXT] [--runs N] [--json FILE] [--baseline FILE] "
      + "[--record-baseline FILE]"
  }

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Usage() }
      switch name {
      case "--filter": filter = value
      case "--json": json = value
      case "--baseline": baseline = value
      case "--record-baseline": recordBaseline = value
      case "--runs":
        guard let count = Int(value), (1...1000).contains(count) else { throw Usage() }
        runs = count
      default: throw Usage()
      }
    }
  }
}

enum Console {
  static func error(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
