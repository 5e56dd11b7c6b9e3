import Foundation

/// The processor time of all threads, which is independent of the machine's other load.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = processorTime()
  try body()
  return processorTime() - start
}

func microseconds(_ body: () async throws -> Void) async rethrows -> Double {
  let start = processorTime()
  try await body()
  return processorTime() - start
}

/// A separate queue, like the store's writer: on Linux the heap of such a thread grows by a system
/// call for every few pages, but that of the main thread does not.
let queue = DispatchQueue(label: "raw", qos: .utility)

/// The time of `body` on that queue.
func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws -> Double {
  try await microseconds {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }
}

/// One operation in the three variants, with a time for each round.
struct Row {
  let name: String
  /// The number of objects, or operations, in a round.
  let count: Int
  var store: [Double] = []
  var raw: [Double] = []
  var grdb: [Double] = []

  init(_ name: String, count: Int) {
    self.name = name
    self.count = count
  }

  func report() {
    func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] / Double(count) }
    guard !store.isEmpty else { return }
    var line = name.padding(toLength: 30, withPad: " ", startingAt: 0)
    line += String(format: "%8.2f us", median(store))
    if !raw.isEmpty {
      line += String(format: "   raw %8.2f  ratio %.2f", median(raw), median(store) / median(raw))
    }
    if !grdb.isEmpty {
      line += String(
        format: "   GRDB %8.2f  ratio %.2f", median(grdb), median(store) / median(grdb))
    }
    print(line)
  }
}
