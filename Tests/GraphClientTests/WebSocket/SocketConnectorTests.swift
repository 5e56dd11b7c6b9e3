import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphWebSocket

@Suite(.timeLimit(.minutes(2)))
struct SocketConnectorTests {
  private struct NoSockets: Graph.WebSocketTransport {
    func connect(
      _ request: Graph.HTTPRequest, subprotocol: String
    ) async throws -> any Graph.WebSocketConnection {
      throw Graph.TransportError(.cannotConnect, message: "there are no web sockets")
    }
  }

  /// The provider of the payload of `connection_init` may request a token.
  @Test(arguments: [false, true])
  func hangingPayloadProviderIsAbandoned(isCancelled: Bool) async throws {
    let hanging = Hanging()
    let time = HeldTime()
    var settings = Graph.WebSocketSettings()
    settings.connectTimeout = .seconds(5)
    settings.connectionPayload = { _ in
      await hanging.hang()
      return nil
    }
    let connector = Graph.SocketConnector(
      url: .endpoint, transport: NoSockets(), settings: settings, time: time, observers: nil)
    let task = Task { _ = try await connector.connect(headers: [:]) }
    try await wait { hanging.count == 1 }
    if isCancelled {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    } else {
      try await time.runAction(after: .seconds(5))
      let error = await #expect(throws: Graph.TransportError.self) { try await task.value }
      #expect(error?.code == .timedOut && error?.bytesSent == false)
    }
    #expect(time.scheduledActionCount == 0)
    hanging.release()
  }
}
