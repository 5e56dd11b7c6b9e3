import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The response to a query with `@defer` or `@stream`, after each of its payloads.
  struct IncrementalPayloads: Sendable {
    private let client: Client
    private let reader: OperationReader
    private let generation: GraphQL.StoreGeneration?
    private let observation: CallObservation?
    private var stream: PayloadStream
    private var result = IncrementalResult()
    /// The size of all payloads.
    private var byteCount = 0

    /// The accepted types: `multipart/mixed` in the format v0.2 and in that of 2022, or one
    /// response. A server that supports only v0.2 rejects requests without `incrementalSpec=v0.2`.
    static let accept =
      [
        "\(MediaType.multipartMixed);incrementalSpec=v0.2",
        "\(MediaType.multipartMixed);deferSpec=20220824", MediaType.multipartMixed,
        MediaType.accept,
      ]
      .joined(separator: ", ")

    /// - Parameter generation: the store's when the request was created.
    init(
      _ stream: PayloadStream, reader: OperationReader, client: Client,
      generation: GraphQL.StoreGeneration?, observation: CallObservation?
    ) {
      self.stream = stream
      self.reader = reader
      self.client = client
      self.generation = generation
      self.observation = observation
    }

    /// The response so far, after the next payload; nil at the end of the stream.
    nonisolated(nonsending) mutating func next() async throws -> (
      content: CheckedResponse, isLast: Bool
    )? {
      while case .payload(let bytes) = try await stream.next() {
        byteCount += bytes.count
        guard byteCount <= client.configuration.maximumResponseBytes else {
          throw TransportError.responseTooLarge(client.configuration.maximumResponseBytes)
        }
        guard try result.add(Self.parse(bytes)) else { continue }
        let content = try await client.kept(snapshot(), in: generation, observation)
        return (content, !result.hasNext)
      }
      if !result.hasBegun { throw QueryError.noData(FailedResponse(status: nil, bytes: [])) }
      if result.hasNext {
        throw QueryError.violation("the response ended before the last of its payloads")
      }
      return nil
    }

    private static func parse(_ bytes: [UInt8]) throws(QueryError) -> JSON {
      do { return try JSON(parsing: bytes) } catch {
        throw QueryError(.invalidJSON(error), FailedResponse(status: nil, bytes: bytes))
      }
    }

    private func snapshot() throws(QueryError) -> CheckedResponse {
      let bytes = result.bytes
      do {
        return try observation.reading(bytes.count) { () throws(GraphQL.ResponseFailure) in
          try reader.read(bytes, result.context)
        }
      } catch {
        throw QueryError(error, FailedResponse(status: nil, bytes: bytes))
      }
    }
  }
}
