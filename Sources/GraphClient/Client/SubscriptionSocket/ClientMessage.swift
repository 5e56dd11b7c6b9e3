import GraphJSON

extension Graph {
  /// The messages of a client over a web socket (GraphQL over WebSocket, Message types; the older
  /// protocol has other names for them, and no pings).
  enum ClientMessage: Sendable {
    case initialization(JSON.Object?)
    case ping
    case pong
    case subscribe(id: String, OperationRequest)
    case complete(id: String)

    func text(in subprotocol: WebSocketSubprotocol) -> String {
      var writer = JSONWriter()
      writer.beginObject()
      if let id {
        writer.key("id")
        writer.string(id)
      }
      writer.key("type")
      writer.string(type(in: subprotocol))
      switch self {
      case .initialization(let payload?):
        writer.key("payload")
        writer.value(.object(payload))
      case .subscribe(_, let request):
        writer.key("payload")
        request.write(to: &writer)
      default: break
      }
      writer.endObject()
      return String(decoding: writer.finish(), as: UTF8.self)
    }

    private var id: String? {
      switch self {
      case .subscribe(let id, _), .complete(let id): id
      default: nil
      }
    }

    private func type(in subprotocol: WebSocketSubprotocol) -> String {
      switch (self, subprotocol) {
      case (.initialization, _): "connection_init"
      case (.ping, _): "ping"
      case (.pong, _): "pong"
      case (.subscribe, .graphQLTransportWS): "subscribe"
      case (.subscribe, .graphQLWS): "start"
      case (.complete, .graphQLTransportWS): "complete"
      case (.complete, .graphQLWS): "stop"
      }
    }
  }
}
