import Foundation

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
