import Foundation
import GraphClient
import Testing
import Wire

#if canImport(Darwin)
  private let playsWithURLSession = true
#else
  private let playsWithURLSession =
    ProcessInfo.processInfo.environment["WIRE_WITH_URLSESSION"] != nil
#endif

/// The outcome of correct and incorrect server behaviour for a transport.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct WireTableTests {
  #if !canImport(Darwin)
    @Test(arguments: WireCase.groups)
    func libcurl(group: String) async throws {
      for wireCase in WireCase.all where wireCase.group == group {
        for use in WireUse.all {
          let failure = try await use.failure(of: wireCase, on: Graph.CurlTransport())
          #expect(failure == nil, "\(wireCase.name), \(use): \(failure ?? "")")
        }
      }
    }
  #endif

  /// On Linux, some cases end the process with URLSession, so they are not run. A request that
  /// follows may use the connection that the case has closed, and URLSession does not retry it.
  ///
  /// `Tests/run wire` runs it on Linux, in a separate process, since a case that ends the
  /// process once may not do so the next time.
  @Test(
    .enabled(
      if: playsWithURLSession, "FoundationNetworking may end the process; see Tests/run wire"),
    arguments: WireCase.groups)
  func urlSession(group: String) async throws {
    for var wireCase in WireCase.all where wireCase.group == group {
      wireCase.isFollowed = false
      for use in WireUse.all where wireCase.onURLSession != .notRun {
        let failure = try await use.failure(of: wireCase, on: Graph.URLSessionTransport())
        let comment = Comment(rawValue: "\(wireCase.name), \(use): \(failure ?? "")")
        if wireCase.onURLSession == .wrong {
          withKnownIssue(comment, isIntermittent: true) { #expect(failure == nil, comment) }
        } else {
          #expect(failure == nil, comment)
        }
      }
    }
  }

  @Test func caseNamesAreUnique() {
    #expect(WireCase.all.count >= 150)
    #expect(Set(WireCase.all.map { [$0.group, $0.name] }).count == WireCase.all.count)
  }
}
