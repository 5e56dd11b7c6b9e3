import Foundation

/// Runs checks on small stacks, prints a line for each, and counts the failed ones.
struct Report {
  private var passed = 0
  private var failed = 0

  /// The body throws, whatever the size of its input.
  mutating func refusal(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    line(name, onSmallStack(body)) { result in
      switch result {
      case .success: (false, "accepted")
      case .failure(let error): (true, String("\(error)".prefix { $0 != "\n" }.prefix(90)))
      }
    }
  }

  /// The body takes at most this number of seconds of processor time.
  mutating func within(
    _ limit: Double, _ name: String, _ body: @escaping @Sendable () throws -> String
  ) {
    let (result, seconds) = onSmallStack(body)
    line(name, (result, seconds)) { result in
      switch result {
      case .success(let text): (seconds <= limit, text)
      case .failure(let error): (false, "\(error)")
      }
    }
  }

  /// With true, the body takes at most this many times as long as with false, in the best of five
  /// runs of each, and returns the same number.
  mutating func atMost(
    _ ratio: Double, _ name: String, beside other: String,
    _ body: @escaping @Sendable (Bool) throws -> Int
  ) {
    var best = [Double.infinity, .infinity]
    var counts: [Int] = [-1, -2]
    for _ in 0..<5 {
      for (index, isChosen) in [true, false].enumerated() {
        let (result, seconds) = onSmallStack { try body(isChosen) }
        best[index] = min(best[index], seconds)
        if case .success(let count) = result { counts[index] = count }
      }
    }
    let found = best[0] / best[1]
    line(name, (.success(counts), best[0])) { _ in
      (
        found <= ratio && counts[0] == counts[1],
        "\((found * 100).rounded() / 100) times \(other)"
      )
    }
  }

  /// Prints the totals.
  ///
  /// - Returns: the exit status.
  func finish() -> Int32 {
    print("\(passed) passed, \(failed) failed")
    return failed == 0 ? 0 : 1
  }

  private mutating func line<Value>(
    _ name: String, _ outcome: (Result<Value, any Error>, seconds: Double),
    _ check: (Result<Value, any Error>) -> (Bool, String)
  ) {
    let (holds, text) = check(outcome.0)
    if holds { passed += 1 } else { failed += 1 }
    let seconds = (outcome.seconds * 1000).rounded() / 1000
    print("\(holds ? "ok" : "FAILED") \(name): \(seconds) s: \(text)")
  }
}

/// The result of the body on a thread with half a megabyte of stack, and its processor time.
private func onSmallStack<Value>(
  _ body: @escaping @Sendable () throws -> Value
) -> (Result<Value, any Error>, seconds: Double) {
  let outcome = Outcome<Value>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let start = processorSeconds()
    let result = Result(catching: body)
    outcome.value = (result, processorSeconds() - start)
    done.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  done.wait()
  return outcome.value!
}

/// `@unchecked Sendable` is correct since the semaphore is between the write and the read.
private final class Outcome<Value>: @unchecked Sendable {
  var value: (Result<Value, any Error>, Double)?
}

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
