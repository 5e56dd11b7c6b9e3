import Foundation

/// 64 tasks that use all parts of the library, through a proxy that lets a quarter of their
/// requests fail. At the end, all acknowledged writes are there, and neither memory nor descriptors
/// have grown.
struct LoadRun {
  let seconds: Int

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "treeswift-stress-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let load = try await Load(folder: folder)
    let keeper = Task { await load.keepOutbox() }
    let end = ContinuousClock.now + .seconds(seconds)
    let meter = Task {
      var meter = Meter()
      while ContinuousClock.now < end {
        meter.measure()
        try? await Task.sleep(for: .milliseconds(200))
      }
      return meter
    }
    await withTaskGroup { group in
      for number in 0..<64 { group.addTask { await load.work(number, until: end) } }
    }
    say("\(seconds) s: \(load.counts)")
    let usage = await meter.value
    say("first and last quarter: \(usage)")
    try await load.settle()
    keeper.cancel()
    say("\(try await load.check()) acknowledged writes, 0 lost")
    if let growth = usage.growth { fail(growth) }
  }
}
