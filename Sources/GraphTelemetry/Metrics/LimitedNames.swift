/// The first names that occur. Values of labels that are made at run time would fill the memory, and Prometheus.
struct LimitedNames {
  private let maximumCount: Int
  private var names: Set<String> = []

  init(maximumCount: Int) { self.maximumCount = maximumCount }

  /// The name itself, or `other` if there are too many before it.
  mutating func name(_ name: String) -> String {
    guard !names.contains(name) else { return name }
    guard names.count < maximumCount else { return "other" }
    names.insert(name)
    return name
  }
}
