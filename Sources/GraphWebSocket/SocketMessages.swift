import GraphClient
import GraphJSON
import GraphQLRuntime

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

extension Graph {
  /// The messages of a server over a web socket (GraphQL over WebSocket, Message types; the older
  /// protocol has other names for them).
  enum ServerMessage: Equatable {
    case acknowledgement
    case ping
    case pong
    /// Only in the older protocol.
    case keepAlive
    /// A response to the operation `id`, as JSON.
    case next(id: String, payload: [UInt8])
    /// The operation `id` was refused: a JSON array of errors.
    case error(id: String, errors: [UInt8])
    case complete(id: String)

    /// - Throws: `QueryError` with the code `protocolViolation`, or `unauthenticated` if the server
    ///   refuses the connection.
    init(
      _ message: WebSocketMessage, in subprotocol: WebSocketSubprotocol
    ) throws(QueryError) {
      guard case .text(let text) = message else { throw .violation("a message is not text") }
      guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.isObject else {
        throw .violation("a message is not a JSON object")
      }
      switch (root["type"]?.string, subprotocol) {
      case ("connection_ack", _): self = .acknowledgement
      case ("ping", .graphQLTransportWS): self = .ping
      case ("pong", .graphQLTransportWS): self = .pong
      case ("ka", .graphQLWS): self = .keepAlive
      case ("next", .graphQLTransportWS), ("data", .graphQLWS):
        guard let payload = root["payload"], payload.isObject else {
          throw .violation("a message with a response has no payload")
        }
        self = .next(id: try Self.id(root), payload: payload.source)
      case ("error", _):
        self = .error(id: try Self.id(root), errors: try Self.errors(root, subprotocol))
      case ("complete", _): self = .complete(id: try Self.id(root))
      case ("connection_error", .graphQLWS): throw Self.refusal(root)
      // Its value may be any JSON, and long.
      default: throw .violation("a message has a type that the protocol does not define")
      }
    }

    /// A JSON array of errors. In the older protocol, the payload is often a single one.
    private static func errors(
      _ root: JSONNode, _ subprotocol: WebSocketSubprotocol
    ) throws(QueryError) -> [UInt8] {
      if let payload = root["payload"] {
        if payload.array != nil { return payload.source }
        if subprotocol == .graphQLWS, payload.isObject {
          return [UInt8(ascii: "[")] + payload.source + [UInt8(ascii: "]")]
        }
      }
      throw .violation("an error message has no list of errors")
    }

    private static func refusal(_ root: JSONNode) -> QueryError {
      let reason = root["payload"]?["message"]?.string ?? root["payload"]?.string
      let errors = reason.map { [GraphQL.ResponseError(message: $0)] } ?? []
      return QueryError(
        .unauthenticated, message: "the server refuses the connection", errors: errors)
    }

    private static func id(_ root: JSONNode) throws(QueryError) -> String {
      guard let id = root["id"]?.string else { throw .violation("a message has no id") }
      return id
    }
  }
}

extension JSONNode {
  fileprivate var isObject: Bool { document.kind(at: index) == .object }
  fileprivate var source: [UInt8] { Array(document.source(at: index)) }
}
