import Foundation
import GraphClient
import Testing
import Wire

/// What a transport makes of everything that a server may do on the wire, right and wrong.
@Suite(.timeLimit(.minutes(10)))
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

  @Test func thereAreAsManyCasesAsNames() {
    #expect(WireCase.all.count >= 150)
    #expect(Set(WireCase.all.map { [$0.group, $0.name] }).count == WireCase.all.count)
  }
}
