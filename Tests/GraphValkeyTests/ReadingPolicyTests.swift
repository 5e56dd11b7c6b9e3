import Testing

@testable import GraphValkey

@Suite(.timeLimit(.minutes(2))) struct ReadingPolicyTests {
  @Test func aSlowServerIsNotWaitedForDuringASecond() {
    var policy = ReadingPolicy()
    policy.end(isQuick: false, isAlone: true, at: 0)
    policy.end(isQuick: false, isAlone: true, at: 0)
    policy.end(isQuick: true, isAlone: true, at: 0)
    for _ in 0..<2 { policy.end(isQuick: false, isAlone: true, at: 0) }
    #expect(policy.mayWait(at: 0))
    policy.end(isQuick: false, isAlone: true, at: 10)
    #expect(!policy.mayWait(at: 11))
    #expect(!policy.mayWait(at: 1_000_000_009))
    #expect(policy.mayWait(at: 1_000_000_010))
  }

  @Test func oneOf16CallsFindsOutWhetherItIsAlone() {
    var policy = ReadingPolicy()
    var trials: [Int] = []
    for number in 0..<40 {
      if policy.letsOthersSend { trials.append(number) }
      policy.end(isQuick: true, isAlone: true, at: 0)
    }
    #expect(trials == [0, 16, 32])
    policy.end(isQuick: true, isAlone: false, at: 0)
    #expect(policy.letsOthersSend)
  }

  /// The loop reads what takes longer than a task waits, and tasks read again after that.
  @Test(.needsServer) func slowCommandsAreReadByTheLoop() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.connections = 1 }
    for _ in 0..<5 {
      #expect(try await valkey.run("BLPOP", "nothing", "0.02") == .null)
      #expect(try await valkey.run("SET", "key", "value") == .status("OK"))
    }
    // All at once: one task reads for others.
    for round in 0..<20 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask {
            let text = "\(round) \(number)"
            let echo = try await valkey.run("ECHO", text)
            #expect(echo.text == text)
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
