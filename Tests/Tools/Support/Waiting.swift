/// A condition for which a test waited, and that never became true.
package struct ConditionNeverMet: Error, CustomStringConvertible {
  let file: String
  let line: Int

  package var description: String { "the condition at \(file):\(line) was never true" }
}

/// Returns when the condition is true.
///
/// It throws ``ConditionNeverMet`` when the task is cancelled, as it is at the end of a test's time
/// limit, and in tests without one after ten minutes. So a test whose condition is never true fails
/// instead of running forever.
package func wait(
  isolation: isolated (any Actor)? = #isolation, _ file: String = #fileID, _ line: Int = #line,
  until condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(600)
  while try await !condition() {
    guard !Task.isCancelled, .now < end else { throw ConditionNeverMet(file: file, line: line) }
    await Task.yield()
  }
}
