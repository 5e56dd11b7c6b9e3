extension TransportConformance.Outcome {
  /// Runs a check. A check that hangs is abandoned, so that the others can run.
  package static func of(
    _ check: String, patience: Duration, _ body: @escaping @Sendable () async throws -> Void
  ) async -> Self {
    let (outcomes, finish) = AsyncStream.makeStream(of: String?.self)
    let work = Task {
      do {
        try await body()
        finish.yield(nil)
      } catch {
        finish.yield("\(error)")
      }
    }
    let timeout = Task {
      try await Task.sleep(for: patience)
      finish.yield("it took longer than \(patience)")
    }
    var failure: String? = "there was no outcome"
    for await outcome in outcomes {
      failure = outcome
      break
    }
    work.cancel()
    timeout.cancel()
    return Self(check: check, failure: failure)
  }
}
