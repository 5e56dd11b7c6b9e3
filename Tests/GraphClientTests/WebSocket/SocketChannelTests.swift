import GraphQLRuntime
import Testing

@testable import GraphClient
@testable import GraphWebSocket

@Suite(.timeLimit(.minutes(2)))
struct SocketChannelTests {
  @Test func unreadPayloadsAreDeliveredBeforeTheEnd() async throws {
    let channel = Graph.SocketChannel(maximumUnreadBytes: 2)
    #expect(channel.push([1]) && channel.push([2]))
    // One byte too many is unread.
    #expect(!channel.push([3]))
    channel.finish(.failure(.violation("over")))
    channel.finish(.success(()))
    for byte: UInt8 in 1...3 { #expect(try await channel.next()?.bytes == [byte]) }
    let error = await #expect(throws: Graph.QueryError.self) { try await channel.next() }
    #expect(error?.code == .protocolViolation)
  }

  /// A cancelled reader must not work through what has arrived, nor get another error.
  @Test(arguments: [false, true])
  func cancellationDiscardsUnreadPayloads(hasEnded: Bool) async throws {
    let channel = Graph.SocketChannel(maximumUnreadBytes: 100)
    for _ in 0..<3 { #expect(channel.push([1])) }
    if hasEnded { channel.finish(.failure(.violation("over"))) }
    channel.cancel()
    for _ in 0..<2 {
      let error = await #expect(throws: Graph.QueryError.self) { try await channel.next() }
      #expect(error?.code == .cancelled)
    }
    // Later payloads are skipped.
    #expect(channel.push([UInt8](repeating: 1, count: 200)))
  }
}
