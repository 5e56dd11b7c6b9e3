import GraphJSON

extension Graph {
  /// The messages of a client over a web socket (GraphQL over WebSocket, Message types).
  enum ClientMessage: Sendable {
    case initialization(JSON.Object?)
    case ping
    case pong
    case subscribe(id: String, OperationRequest)
    case complete(id: String)

    var text: String {
      var writer = JSONWriter()
      writer.beginObject()
      if let id {
        writer.key("id")
        writer.string(id)
      }
      writer.key("type")
      writer.string(type)
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

    private var type: String {
      switch self {
      case .initialization: "connection_init"
      case .ping: "ping"
      case .pong: "pong"
      case .subscribe: "subscribe"
      case .complete: "complete"
      }
    }
  }
}
