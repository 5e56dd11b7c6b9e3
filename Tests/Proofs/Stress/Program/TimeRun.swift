import Foundation

/// The clock is set while the library runs: nothing stays forever, and nothing is sent in another
/// order or in a burst.
struct TimeRun {
  /// The changes of the clock, one after another.
  private static let jumps: [(name: String, by: [Duration])] = [
    ("10 years ahead", [.years(10)]), ("10 years back", [.years(-10)]),
    ("an hour back", [.seconds(-3600)]), ("ahead and back", [.years(10), .years(-10)]),
    ("back and ahead", [.years(-10), .years(10)]),
  ]

  func run() async throws {
    var checks = 0
    for (name, jump) in Self.jumps {
      for check in ClockCheck.all {
        let folder = FileManager.default.temporaryDirectory
          .appending(path: "treeswift-stress-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let situation = ClockCheck.Situation(
          name: "\(name), \(check.name)", jump: jump, folder: folder)
        try await check.run(situation)
        checks += 1
      }
      say("ok the clock is set \(name)")
    }
    for value in RetryAfterCheck.values {
      try await RetryAfterCheck(value: value).run()
      checks += 1
    }
    say("ok \(RetryAfterCheck.values.count) values of Retry-After")
    say("\(checks) passed, 0 failed")
  }
}

extension Duration {
  static func years(_ count: Int) -> Duration { .seconds(count * 365 * 86_400) }
}
