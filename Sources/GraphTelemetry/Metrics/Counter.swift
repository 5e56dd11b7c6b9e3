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
