import Foundation
import GraphClient
import Testing
import ServerBehavior

#if canImport(Darwin)
  private let runsWithURLSession = true
#else
  private let runsWithURLSession =
    ProcessInfo.processInfo.environment["SERVER_BEHAVIOR_WITH_URLSESSION"] != nil
#endif

/// The outcome of correct and incorrect server behaviour for a transport.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ServerBehaviorTests {
  #if !canImport(Darwin)
    @Test(arguments: ServerCase.groups)
    func libcurl(group: String) async throws {
      for serverCase in ServerCase.all where serverCase.group == group {
        for use in TransportUse.all {
          let failure = try await use.failure(of: serverCase, on: Graph.CurlTransport())
          #expect(failure == nil, "\(serverCase.name), \(use): \(failure ?? "")")
        }
      }
    }
  #endif

  /// On Linux, some cases end the process with URLSession, so they are not run. A request that
  /// follows may use the connection that the case has closed, and URLSession does not retry it.
  ///
  /// `Tests/run server-behavior` runs it on Linux, in a separate process, since a case that ends the
  /// process once may not do so the next time.
  @Test(
    .enabled(
      if: runsWithURLSession,
      "FoundationNetworking may end the process; see Tests/run server-behavior"),
    arguments: ServerCase.groups)
  func urlSession(group: String) async throws {
    for var serverCase in ServerCase.all where serverCase.group == group {
      serverCase.isFollowed = false
      for use in TransportUse.all where serverCase.onURLSession != .notRun {
        let failure = try await use.failure(of: serverCase, on: Graph.URLSessionTransport())
        let comment = Comment(rawValue: "\(serverCase.name), \(use): \(failure ?? "")")
        if serverCase.onURLSession == .wrong {
          withKnownIssue(comment, isIntermittent: true) { #expect(failure == nil, comment) }
        } else {
          #expect(failure == nil, comment)
        }
      }
    }
  }

  @Test func caseNamesAreUnique() {
    #expect(ServerCase.all.count >= 150)
    #expect(Set(ServerCase.all.map { [$0.group, $0.name] }).count == ServerCase.all.count)
  }
}
