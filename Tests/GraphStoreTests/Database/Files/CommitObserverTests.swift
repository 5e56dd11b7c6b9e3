import Foundation
import TestSupport
import Testing

@testable import GraphStore

@Suite struct CommitObserverTests {
  /// An observer of a file, and a value for each of its notifications.
  private struct Watched {
    private let observer: AnyObject
    private let calls: AsyncStream<Void>

    init(_ make: (@escaping @Sendable () -> Void) throws -> AnyObject) rethrows {
      let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
      self.calls = calls
      observer = try make { continuation.yield() }
    }

    func waitForCall() async { for await _ in calls { break } }
  }

  private func notified(of file: URL) throws -> Watched {
    try Watched { try #require(FileNotifications(file.path, onWrite: $0)) }
  }

  private func append(to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("x".utf8))
    try handle.close()
  }

  /// By default, a user of Linux may have 128 inotify instances.
  @Test func watchesMoreFilesThanInotifyInstances() async throws {
    let folder = try TemporaryFolder()
    let files = (0..<300).map { folder.file("\($0)") }
    for file in files { try Data().write(to: file) }
    let watched = try files.map(notified)
    for file in files { try append(to: file) }
    for one in watched { await one.waitForCall() }
  }

  @Test func releasingOneOfTwoObserversKeepsTheOther() async throws {
    let file = try TemporaryFolder().file()
    try Data().write(to: file)
    let kept = try notified(of: file)
    do {
      let dropped = try notified(of: file)
      try append(to: file)
      await dropped.waitForCall()
      await kept.waitForCall()
    }
    try append(to: file)
    await kept.waitForCall()
  }

  @Test func pollsWithoutNotificationsOfTheSystem() async throws {
    let file = try TemporaryFolder().file("absent")
    let watched = Watched { CommitObserver(file.path, notifies: false, onChange: $0) }
    for _ in 0..<8 { await watched.waitForCall() }
  }

  /// A process may die between its commit and the announcement.
  @Test func checksAlsoWithoutAnnouncement() async throws {
    let file = try TemporaryFolder().file()
    try Data().write(to: file)
    let watched = Watched {
      CommitObserver(file.path, unannounced: .milliseconds(10), onChange: $0)
    }
    for _ in 0..<2 { await watched.waitForCall() }
  }
}
