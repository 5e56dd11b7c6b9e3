import GraphClient
import GraphWebSocket
import Testing

struct WebSocketSettingsTests {
  @Test func configurationKeepsItsSettings() {
    var configuration = Graph.ClientConfiguration()
    #expect(!configuration.webSocket.carriesQueriesAndMutations)
    configuration.webSocket.carriesQueriesAndMutations = true
    configuration.webSocket.subprotocol = .graphQLWS
    let copy = configuration
    configuration.webSocket.subprotocol = .graphQLTransportWS
    #expect(copy.webSocket.carriesQueriesAndMutations)
    #expect(copy.webSocket.subprotocol == .graphQLWS)
  }

  @Test func protocolsAreDistinct() {
    let protocols: Set<Graph.SubscriptionProtocol> = [.serverSentEvents, .multipart, .webSocket]
    #expect(protocols.count == 3)
    #expect(Graph.SubscriptionProtocol.webSocket == .webSocket)
    #expect("\(Graph.SubscriptionProtocol.webSocket)" == "webSocket")
  }
}
