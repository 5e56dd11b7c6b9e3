import Foundation

/// Runs functions on a thread that never ends.
private final class Starter: @unchecked Sendable {
  static let shared = Starter()

  private let lock = NSLock()
  private let arrived = DispatchSemaphore(value: 0)
  private var jobs: [() -> Void] = []

  private init() {
    Thread.detachNewThread { [self] in
      while true {
        arrived.wait()
        let job = lock.withLock { jobs.removeFirst() }
        job()
      }
    }
  }

  func run<Value>(_ body: @escaping () throws -> Value) throws -> Value {
    let isDone = DispatchSemaphore(value: 0)
    var result: Result<Value, any Error>?
    lock.withLock {
      jobs.append {
        result = Result { try body() }
        isDone.signal()
      }
    }
    arrived.signal()
    isDone.wait()
    guard let result else { preconditionFailure("the function has returned") }
    return try result.get()
  }
}

extension Process {
  /// Starts the process, like `run()`. Foundation gives the thread that starts a process a run loop.
  /// When such a thread ends, the run loop ends after the thread sanitizer's memory, and crashes it.
  package func start() throws {
    try Starter.shared.run { try self.run() }
  }

  /// Waits for the end of the process, like `waitUntilExit()`, without a run loop.
  package func waitForEnd() {
    while isRunning { usleep(1_000) }
  }
}
