import GraphJSON

extension Graph {
  /// The messages of a server over a web socket (GraphQL over WebSocket, Message types).
  enum ServerMessage: Equatable {
    case acknowledgement
    case ping
    case pong
    /// A response to the operation `id`, as JSON.
    case next(id: String, payload: [UInt8])
    /// The operation `id` was refused: a JSON array of errors.
    case error(id: String, errors: [UInt8])
    case complete(id: String)

    /// - Throws: ``QueryError`` with the code `protocolViolation`.
    init(_ message: WebSocketMessage) throws(QueryError) {
      guard case .text(let text) = message else { throw .violation("a message is not text") }
      guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.isObject else {
        throw .violation("a message is not a JSON object")
      }
      switch root["type"]?.string {
      case "connection_ack": self = .acknowledgement
      case "ping": self = .ping
      case "pong": self = .pong
      case "next":
        guard let payload = root["payload"], payload.isObject else {
          throw .violation("a next message has no payload")
        }
        self = .next(id: try Self.id(root), payload: payload.source)
      case "error":
        guard let payload = root["payload"], payload.array != nil else {
          throw .violation("an error message has no list of errors")
        }
        self = .error(id: try Self.id(root), errors: payload.source)
      case "complete": self = .complete(id: try Self.id(root))
      // Its value may be any JSON, and long.
      default: throw .violation("a message has a type that the protocol does not define")
      }
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
