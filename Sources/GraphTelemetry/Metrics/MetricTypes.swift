import Foundation
import GraphClient
import GraphQLRuntime

/// A metric family of numbers: a counter, whose values only increase, or a gauge.
struct Counter {
  let name: String
  let help: String
  var unit: String?
  var isGauge = false
  let labels: [String]
  private(set) var values: [[String]: Int] = [:]

  init(_ name: String, _ help: String, unit: String? = nil, isGauge: Bool = false, labels: [String])
  {
    self.name = name
    self.help = help
    self.unit = unit
    self.isGauge = isGauge
    self.labels = labels
  }

  mutating func add(_ amount: Int = 1, _ labelValues: String...) {
    values[labelValues, default: 0] += amount
  }

  func write(to text: inout OpenMetricsText) {
    text.family(name, type: isGauge ? "gauge" : "counter", unit: unit, help: help)
    for (labelValues, value) in values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      text.sample(isGauge ? name : name + "_total", zip(labels, labelValues), "\(value)")
    }
  }
}

/// A metric family of durations in seconds.
struct Histogram {
  /// The trace of a call, as an example of a bucket.
  struct Exemplar {
    let trace: Graph.TraceContext.TraceID
    let seconds: Double
    let date: Date
  }

  private struct Series {
    /// The number of values in each bucket, and not in those below it; the last one has no limit.
    var counts: [Int]
    var exemplars: [Exemplar?]
    var sum = 0.0
  }

  /// From one millisecond to a minute.
  static let callBounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]
  /// From ten microseconds to a second.
  static let stepBounds = [
    0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025,
    0.05, 0.1, 0.25, 1,
  ]

  let name: String
  let help: String
  let labels: [String]
  private let bounds: [Double]
  private var series: [[String]: Series] = [:]

  init(_ name: String, _ help: String, labels: [String], bounds: [Double]) {
    self.name = name
    self.help = help
    self.labels = labels
    self.bounds = bounds
  }

  mutating func add(
    _ duration: Duration, _ labelValues: String..., exemplar event: Graph.ObservedEvent? = nil
  ) {
    let seconds = duration.seconds
    let bucket = bounds.firstIndex { seconds <= $0 } ?? bounds.count
    let empty = Series(
      counts: Array(repeating: 0, count: bounds.count + 1),
      exemplars: Array(repeating: nil, count: bounds.count + 1))
    series[labelValues, default: empty].counts[bucket] += 1
    series[labelValues]?.sum += seconds
    if let event, let trace = event.call?.trace, trace.isSampled {
      series[labelValues]?.exemplars[bucket] = Exemplar(
        trace: trace.traceID, seconds: seconds, date: event.date)
    }
  }

  func write(to text: inout OpenMetricsText) {
    text.family(name, type: "histogram", unit: "seconds", help: help)
    for (labelValues, series) in series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let pairs = Array(zip(labels, labelValues))
      var count = 0
      for (index, bucket) in series.counts.enumerated() {
        count += bucket
        let bound = index < bounds.count ? OpenMetricsText.number(bounds[index]) : "+Inf"
        text.sample(
          name + "_bucket", pairs + [("le", bound)], "\(count)", exemplar: series.exemplars[index])
      }
      text.sample(name + "_count", pairs, "\(count)")
      text.sample(name + "_sum", pairs, OpenMetricsText.number(series.sum))
    }
  }
}

/// Writes the text format of OpenMetrics 1.0.
struct OpenMetricsText {
  private(set) var text = ""

  mutating func family(_ name: String, type: String, unit: String?, help: String) {
    text += "# TYPE \(name) \(type)\n"
    if let unit { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(help)\n"
  }

  mutating func sample(
    _ name: String, _ labels: some Sequence<(String, String)>, _ value: String,
    exemplar: Histogram.Exemplar? = nil
  ) {
    let labels = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    text += name
    if !labels.isEmpty { text += "{\(labels)}" }
    text += " \(value)"
    if let exemplar {
      text +=
        " # {trace_id=\"\(exemplar.trace)\"} \(Self.number(exemplar.seconds)) "
        + Self.number(exemplar.date.timeIntervalSince1970)
    }
    text += "\n"
  }

  mutating func finish() -> String { text + "# EOF\n" }

  static func number(_ value: Double) -> String {
    // Swift writes small and large numbers with an exponent, which the format allows.
    "\(value)"
  }

  /// A label's value (OpenMetrics 1.0, escaping).
  private static func escaped(_ value: String) -> String {
    var result = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
