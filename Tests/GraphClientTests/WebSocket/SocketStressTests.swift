#if os(Linux)
  import Foundation
  import TestSupport
  import Loopback
  import Testing

  @testable import GraphClient
  @testable import GraphWebSocket

  // Not at the same time as the other test that counts descriptors; the suite ensures that.
  extension CancellationStressTests {
    static var descriptorCount: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// Cancelled at every step: before the connection, in the handshake, before the
    /// acknowledgement, between events. Each cycle uses three descriptors of the client. Other
    /// tests use far fewer at the same time than 500 cycles would leave.
    @Test(
      .timeLimit(.minutes(3)), .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
    func cancelledWebSocketConnectionsLeakNoDescriptors() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let id = peer.subscription()
        peer.tick(1, for: id)
        peer.waitForEnd()
      }
      let before = Self.descriptorCount
      var endings = 0
      for cycle in 0..<500 {
        let client = SubscriptionSocketTests.client(server)
        let hasEvent = Latch()
        let task = Task {
          do {
            for try await _ in SubscriptionSocketTests.ticks(client) { hasEvent.open() }
          } catch {
            return Graph.QueryError(error).code == .cancelled
          }
          // An iteration that was cancelled before it started ends without an error.
          return Task.isCancelled
        }
        if cycle % 4 == 0 {
          await hasEvent.wait()
        } else {
          for _ in 0..<(cycle % 97) { await Task.yield() }
        }
        task.cancel()
        if await task.value { endings += 1 }
      }
      #expect(endings == 500)
      try await wait { Self.descriptorCount <= before + 100 }
    }
  }
#endif
