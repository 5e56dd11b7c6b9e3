extension GraphQL {
  /// How the responses to a document are checked and read. A plan grows while a response is checked.
  struct ResponsePlan: Sendable {
    let check: CheckPlan
    /// Where the root of a typed operation is read; nil if the response is read by generated classes.
    let records: RecordPlace?
    let parsing: ParsingState
  }

  /// The state that parsing the responses of a plan in one pass needs.
  // Safe: see `SharedResponsePlan`, which gives a plan to one thread at a time.
  final class ParsingState: @unchecked Sendable {
    let scalars = ScalarNumbers()
    /// The expected size of the result.
    var wordsPerByte = 0.125
  }

  /// The plans of all operations of one document, each used by one response at a time. There are as many as
  /// responses were read concurrently, up to a limit.
  final class SharedResponsePlan: Sendable {
    private static let maximumCount = 8

    private let plans = Locked<[ResponsePlan]>([])
    private let attempts = Locked(ParsingAttempts())

    /// nil if there is none yet, or others use them.
    func take() -> ResponsePlan? { plans.withLock { $0.popLast() } }

    func put(_ plan: ResponsePlan) {
      plans.withLock { if $0.count < Self.maximumCount { $0.append(plan) } }
    }

    /// See ``ParsingAttempts``.
    func shouldTryUsualParsing() -> Bool { attempts.withLock { $0.shouldTry() } }
    func noteUsualParsing(succeeded: Bool) { attempts.withLock { $0.note(succeeded: succeeded) } }
  }

  /// Decides which responses are first parsed as usual ones. After a failure, only some are: a service that has
  /// sent another form usually sends it again.
  struct ParsingAttempts {
    private static let longestPause = 32

    /// The number of responses until the next attempt. The first response shows which types there are.
    private var remaining = 1
    private var pause = 1

    mutating func shouldTry() -> Bool {
      if remaining == 0 { return true }
      remaining -= 1
      return false
    }

    mutating func note(succeeded: Bool) {
      pause = succeeded ? 1 : min(2 * pause, Self.longestPause)
      remaining = succeeded ? 0 : pause
    }
  }
}
