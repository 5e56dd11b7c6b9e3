import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

@Suite(.timeLimit(.minutes(2)))
struct ChunkReaderTests {
  /// Bytes, and then nothing more, even after a cancellation.
  private struct Deaf: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let hanging: Hanging
    var pieces: [[UInt8]]

    func makeAsyncIterator() -> Deaf { self }

    mutating func next() async throws -> [UInt8]? {
      if !pieces.isEmpty { return pieces.removeFirst() }
      await hanging.hang()
      return nil
    }
  }

  private let time = HeldTime()
  private let hanging = Hanging()

  private func reader(_ pieces: [UInt8]...) -> Graph.ChunkReader {
    Graph.ChunkReader(
      Graph.HTTPResponse.Body(Deaf(hanging: hanging, pieces: pieces)), idleTimeout: .seconds(60),
      time: time)
  }

  @Test func idleTimeoutEndsAHangingBody() async throws {
    let reader = reader([1], [2])
    #expect(try await reader.next() == [1])
    #expect(try await reader.next() == [2])
    #expect(time.scheduledActionCount == 0)
    let last = Task { try await reader.next() }
    try await time.runAction(after: .seconds(60))
    let error = await #expect(throws: Graph.TransportError.self) { try await last.value }
    #expect(error?.code == .connectionLost && error?.bytesSent == true)
    // The abandoned read has not ended, and there is no second one.
    await #expect(throws: Graph.TransportError.self) { try await reader.next() }
    #expect(hanging.count == 1)
    #expect(time.scheduledActionCount == 0)
    hanging.release()
  }

  @Test func cancellationEndsABodyThatHangs() async throws {
    let reader = reader()
    let task = Task { try await reader.next() }
    try await wait { hanging.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time.scheduledActionCount == 0)
    hanging.release()
  }

  @Test func incrementalResponseHasADefaultIdleTimeout() async throws {
    let part =
      "\r\n---\r\nContent-Type: application/json\r\n\r\n"
      + #"{"data":{"node":{"__typename":"Shop","id":"1"}},"hasNext":true}"# + "\r\n---\r\n"
    let transport = ScriptedTransport { [hanging] _ in
      Graph.HTTPResponse(
        status: 200, headers: ["Content-Type": "multipart/mixed; boundary=\"-\""], url: .endpoint,
        body: .init(Deaf(hanging: hanging, pieces: [Array(part.utf8)])))
    }
    let query = Store.buildQuery { root in
      root.node(id: "1") { node in
        node.id()
        node._directive(GraphQL.Directive<Store>("defer"))
        node.onShop { $0.name() }
      }
    }
    let count = Box(0)
    let task = Task { [time] in
      for try await _ in Graph.Client.test(transport, time: time).responses(to: query) {
        count.update { $0 += 1 }
      }
    }
    try await wait { hanging.count == 1 }
    try await time.runAction(after: .seconds(60))
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.transportError?.code == .connectionLost)
    #expect(count.current == 1)
    // Subscriptions have no limit unless one is set.
    #expect(Graph.ClientConfiguration().streamTimeout == nil)
    hanging.release()
  }
}
