import Foundation

/// Rows that are measured alternately, so that a drift of the machine's speed affects all of them.
struct Suite {
  let name: String
  /// The unit of a row's figure: a time for this much work, or a size.
  let unit: Unit
  let rows: [Row]

  enum Unit {
    /// Seconds per call.
    case time
    /// Bytes per byte of input.
    case bytesPerByte
  }

  struct Row {
    let name: String
    /// The one row to which the ratios of the suite refer.
    var isReference = false
    /// A figure in the suite's unit, for one run.
    let measure: () throws -> Double
  }

  /// Runs every row once to warm up, then all rows in turn.
  func measured(_ rows: [Row], runs: Int) -> SuiteResult {
    var figures: [[Double]] = rows.map { _ in [] }
    for run in 0...runs {
      for (position, row) in rows.enumerated() {
        do {
          let figure = try row.measure()
          if run > 0 { figures[position].append(figure) }
        } catch {
          Console.error("\(name), \(row.name): \(error)")
        }
      }
    }
    let medians = figures.map(\.median)
    let reference = zip(rows, medians).first { $0.0.isReference }?.1
    return SuiteResult(
      name: name, unit: unit,
      rows: zip(rows, figures).map { row, figures in
        SuiteResult.Row(
          name: row.name, median: figures.median, low: figures.min() ?? .nan,
          high: figures.max() ?? .nan,
          ratio: reference.map { figures.median / $0 })
      })
  }
}

struct SuiteResult {
  let name: String
  let unit: Suite.Unit
  let rows: [Row]

  struct Row {
    let name: String
    let median: Double
    let low: Double
    let high: Double
    /// Relative to the suite's reference, nil if it was filtered out.
    let ratio: Double?
  }
}

extension [Double] {
  var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

/// Seconds of processor time that `body` takes, repeated until a run is long enough to be measured.
/// It runs on one thread; other programs do not count.
func secondsPerCall(repeating count: Int = 1, _ body: () throws -> Void) rethrows -> Double {
  let start = processorSeconds()
  for _ in 0..<count { try body() }
  return (processorSeconds() - start) / Double(count)
}

// Safe: the clock fills a local variable of the type that it expects.
private func processorSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.seconds
}

extension timespec {
  var seconds: Double { Double(tv_sec) + Double(tv_nsec) * 1e-9 }
}

/// Keeps the optimiser from removing work with an unused result.
@inline(never)
func use<Value>(_ value: Value) {}
