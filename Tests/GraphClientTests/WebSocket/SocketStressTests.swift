#if os(Linux)
  import Foundation
  import Loopback
  import Testing

  @testable import GraphClient

  // Not beside the other test that counts descriptors, which that suite sees to.
  extension CancellationStressTests {
    static var descriptorCount: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// Cancelled at every stage: before the connection, in the handshake, before the acknowledgement,
    /// between events. Each cycle holds three descriptors of the client; what other tests hold at the
    /// same time is far below what 500 cycles would leave behind.
    @Test(
      .timeLimit(.minutes(3)), .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
    func fiveHundredConnectionsThatAreCancelledLeaveNoDescriptors() async throws {
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
            return Graph.QueryError(error).isCancellation
          }
          // An iteration that was cancelled before it asked ends without an error.
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
      while Self.descriptorCount > before + 100 { await Task.yield() }
    }
  }
#endif
