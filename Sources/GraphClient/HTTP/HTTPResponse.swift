import Foundation

extension Graph {
  /// The head of a response, and its body while it arrives.
  public struct HTTPResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The response's header fields.
    public let headers: Headers
    /// The URL of the response, after redirects.
    public let url: URL
    /// The content, which can be read once.
    public let body: Body

    /// A response whose head is complete.
    public init(status: Int, headers: Headers = [:], url: URL, body: Body) {
      self.status = status
      self.headers = headers
      self.url = url
      self.body = body
    }

    /// Whether the body is a sequence of payloads: server-sent events or parts, with a status of
    /// success.
    public var isStream: Bool { Self.isStream(status: status, headers: headers) }

    static func isStream(status: Int, headers: Headers) -> Bool {
      let type = MediaType(headers["Content-Type"])?.essence
      return (200..<300).contains(status)
        && (type == MediaType.eventStream || type == MediaType.multipartMixed)
    }
  }
}

extension Graph.HTTPResponse {
  /// Decoded content (RFC 9110, section 8.4) in pieces as they arrive. It can be read once; ending
  /// the reading task, or releasing the iterator, ends the transfer.
  public struct Body: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = any Error

    private typealias Next = nonisolated(nonsending) () async throws -> [UInt8]?

    private let makeNext: @Sendable () -> Next

    /// The pieces of `sequence`. Before macOS 15 and iOS 18, it is not read on the caller's actor.
    // Safe: only one call at a time has the iterator, and the caller waits for its end.
    public init<Chunks: AsyncSequence & Sendable>(_ sequence: Chunks)
    where Chunks.Element == [UInt8] {
      makeNext = {
        nonisolated(unsafe) var iterator = sequence.makeAsyncIterator()
        return {
          if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            return try await unsafe iterator.next(isolation: #isolation)
          }
          return try await unsafe iterator.next()
        }
      }
    }

    /// A body that is already complete.
    public init(_ bytes: [UInt8]) {
      makeNext = {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        return {
          defer { rest = nil }
          return rest
        }
      }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(step: makeNext()) }

    /// Reads the pieces.
    public struct Iterator: AsyncIteratorProtocol {
      let step: nonisolated(nonsending) () async throws -> [UInt8]?

      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> [UInt8]? {
        try await step()
      }

      nonisolated(nonsending) public mutating func next() async throws -> [UInt8]? {
        try await step()
      }
    }
  }
}
