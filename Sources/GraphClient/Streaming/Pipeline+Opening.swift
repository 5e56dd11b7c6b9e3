import Foundation
import GraphQLRuntime

extension Graph {
  /// How a server answers an operation that may stream.
  enum Opening {
    case stream(PayloadStream)
    /// One response, and no more.
    case response(OperationResponse)
  }
}

extension Graph.Pipeline {
  /// Sends an operation whose answer may stream. The interceptors go around the opening, so that a
  /// refused token is refreshed as elsewhere; of a stream they see an empty response.
  ///
  /// - Parameters:
  ///   - request: one that has been prepared.
  ///   - accept: the media types that the answer may have.
  func open(_ request: Graph.OperationRequest, accept: String) async throws -> Graph.Opening {
    try await pass()
    let opened = Handoff()
    let response = try await intercepted(request) { [exchange, silence, time] request in
      let http = exchange.streamRequest(request, accept: accept)
      try http.check()
      let head = try await exchange.transport.send(http)
      let limit = exchange.maximumResponseBytes
      let stream = Graph.PayloadStream(
        head, maximumByteCount: limit, silence: silence, time: time)
      if let stream {
        opened.put(stream)
        return Graph.OperationResponse(
          status: head.status, headers: head.headers,
          content: .none, bytes: [])
      }
      opened.put(nil)
      let bytes = try await head.body.collect(upTo: limit)
      return try Graph.ResponseReader(request: request)
        .read(status: head.status, headers: head.headers, bytes: bytes)
    }
    return opened.take().map { .stream($0) } ?? .response(response)
  }
}

/// Carries the stream past the interceptors.
///
/// `@unchecked Sendable` holds since the stream, whose iterator is not Sendable, is only touched
/// under the lock and leaves once.
private final class Handoff: @unchecked Sendable {
  private let lock = NSLock()
  private var stream: Graph.PayloadStream?

  func put(_ stream: Graph.PayloadStream?) { lock.withLock { self.stream = stream } }

  func take() -> Graph.PayloadStream? {
    lock.withLock {
      defer { stream = nil }
      return stream
    }
  }
}
