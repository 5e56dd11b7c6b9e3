extension Graph {
  /// Where the client takes time and chance from, so that tests wait for nothing.
  package protocol TimeSource: Sendable {
    var now: Moment { get }
    func sleep(for duration: Duration) async throws
    /// From 0 up to, but not including, 1.
    func random() -> Double
  }

  package struct SystemTime: TimeSource {
    package init() {}

    package var now: Moment { .now }

    package func sleep(for duration: Duration) async throws {
      try await Task.sleep(for: duration, clock: .continuous)
    }

    package func random() -> Double { Double.random(in: 0..<1) }
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
