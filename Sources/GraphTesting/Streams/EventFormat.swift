import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// The format of a subscription's results in one HTTP response.
enum EventFormat: Sendable {
  /// Server-sent events, one connection per operation.
  case serverSentEvents
  /// `multipart/mixed` with a result per part.
  case multipart

  /// The format that a request accepts.
  init?(accept: String) {
    if accept.contains("text/event-stream") {
      self = .serverSentEvents
    } else if accept.contains("multipart/mixed") {
      self = .multipart
    } else {
      return nil
    }
  }

  var contentType: String {
    switch self {
    case .serverSentEvents: "text/event-stream; charset=utf-8"
    case .multipart: "multipart/mixed; boundary=\"graphql\"; subscriptionSpec=\"1.0\""
    }
  }

  func piece(_ result: ExecutionResult) -> [UInt8] {
    switch self {
    case .serverSentEvents: Array("event: next\ndata: \(result.json)\n\n".utf8)
    case .multipart: part(["payload": result.json])
    }
  }

  /// The end, with the reason if the stream failed.
  func end(_ failure: ExecutionError?) -> [UInt8] {
    switch self {
    case .serverSentEvents:
      let last = failure.map { piece(ExecutionResult(requestErrors: [$0])) } ?? []
      return last + Array("event: complete\ndata:\n\n".utf8)
    case .multipart:
      let last = failure.map { part(["payload": nil, "errors": [$0.json]]) } ?? []
      return last + Array("\r\n--graphql--\r\n".utf8)
    }
  }

  private func part(_ json: JSON) -> [UInt8] {
    Array("\r\n--graphql\r\nContent-Type: application/json\r\n\r\n\(json)".utf8)
  }
}
