import Foundation
import GraphJSON

/// A suite as text for a person.
struct Table {
  let text: String

  init(_ result: SuiteResult) {
    let width = result.rows.map(\.name.count).max() ?? 0
    let lines = result.rows.map { row in
      let figure = Self.figure(row.median, result.unit)
      let spread =
        "\(Self.figure(row.low, result.unit)) to \(Self.figure(row.high, result.unit))"
      let ratio = row.ratio.map { String(format: "%8.3f", $0) } ?? "       -"
      return "  \(row.name.padding(toLength: width, withPad: " ", startingAt: 0))  "
        + "\(figure.leftPadded(10))  \(ratio)  \(spread)"
    }
    text =
      "\(result.name)\n  \("".padding(toLength: width, withPad: " ", startingAt: 0))  "
      + "    median     ratio  from to\n" + lines.joined(separator: "\n") + "\n"
  }

  private static func figure(_ value: Double, _ unit: Suite.Unit) -> String {
    switch unit {
    case .bytesPerByte: String(format: "%.2f B/B", value)
    case .time where value >= 1: String(format: "%.2f s", value)
    case .time where value >= 1e-3: String(format: "%.2f ms", value * 1e3)
    case .time: String(format: "%.2f µs", value * 1e6)
    }
  }
}

extension String {
  fileprivate func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

/// All suites, for a machine.
struct Report {
  let suites: [SuiteResult]

  func write(to path: String) throws {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.beginObject()
    for suite in suites {
      writer.key(suite.name)
      writer.beginObject()
      for row in suite.rows {
        writer.key(row.name)
        writer.beginObject()
        for (key, value) in [("median", row.median), ("low", row.low), ("high", row.high)] {
          writer.key(key)
          try writer.double(value)
        }
        if let ratio = row.ratio {
          writer.key("ratio")
          try writer.double(ratio)
        }
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
    try Data(writer.finish()).write(to: URL(filePath: path), options: .atomic)
  }

  var baseline: Baseline {
    var ratios: [String: Double] = [:]
    for suite in suites {
      for row in suite.rows { ratios["\(suite.name): \(row.name)"] = row.ratio }
    }
    return Baseline(ratios: ratios)
  }
}
