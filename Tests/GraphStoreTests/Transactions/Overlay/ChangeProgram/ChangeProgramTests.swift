import Foundation
import Testing

@testable import GraphStore

/// Random programs of expected and stored changes, compared with a model after each step. `TREESWIFT_PROGRAMS` is
/// the number of the last one, and `TREESWIFT_SEED` that of the first; see Tests/run outbox-crash.
struct ChangeProgramTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  @Test(.timeLimit(.minutes(60))) func randomProgramsMatchTheModel() async throws {
    let first = Self.number("TREESWIFT_SEED") ?? 1
    for seed in first...max(Self.number("TREESWIFT_PROGRAMS") ?? 60, first) {
      var program = try await ChangeProgram(seed: seed)
      try await program.run(steps: 20)
    }
  }
}
