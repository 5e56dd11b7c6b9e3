import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The responses to one query, one after another: each contains everything that has arrived so
  /// far.
  ///
  /// With ``CachePolicy/cacheAndNetwork`` the cached response comes first. If the query has
  /// `@defer` or `@stream` and the server streams, a response follows with each payload; `has(_:)`
  /// returns whether a deferred field has arrived. The request is sent when iteration begins.
  public struct ResponseStream<Root: GraphQL.AbstractResponse>: AsyncSequence, Sendable {
    public typealias Element = Response<Root>
    public typealias Failure = QueryError

    let client: Client
    let operation: Result<GraphQL.Operation<Root>, QueryError>
    let policy: CachePolicy
    let timeout: Duration?

    /// `multipart/mixed` in both forms, or one response.
    static var accept: String {
      "\(MediaType.multipartMixed);deferSpec=20220824, \(MediaType.multipartMixed), "
        + MediaType.accept
    }

    /// Whether the server may respond in several payloads.
    private var isIncremental: Bool {
      guard let document = try? operation.get().document else { return false }
      return document.contains("@defer") || document.contains("@stream")
    }

    public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    /// Yields responses until the last, or until an error.
    public struct Iterator: AsyncIteratorProtocol {
      private enum Stage {
        case cache
        case network
        case stream(PayloadStream, IncrementalResult, OperationReader, GraphQL.ModelGeneration?)
        case ended
      }

      private let source: ResponseStream
      private var stage = Stage.cache

      init(source: ResponseStream) { self.source = source }

      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async throws(QueryError) -> Response<Root>? {
        do {
          while true {
            if case .ended = stage { return nil }
            if let response = try await step() { return response }
          }
        } catch {
          stage = .ended
          throw QueryError(error)
        }
      }

      public mutating func next() async throws(QueryError) -> Response<Root>? {
        try await next(isolation: nil)
      }

      /// One step; nil if it delivers nothing.
      private mutating func step(
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> Response<Root>? {
        switch stage {
        case .cache:
          stage = .network
          return try await stored()
        case .network:
          return try await open()
        case .stream(var stream, var result, let reader, let generation):
          guard case .payload(let bytes) = try await stream.next() else {
            stage = .ended
            return nil
          }
          try result.add(try Self.parse(bytes))
          stage = result.hasNext ? .stream(stream, result, reader, generation) : .ended
          let content = try Self.snapshot(result, reader)
          return Response(await source.client.kept(content, in: generation), source: .network)
        case .ended: return nil
        }
      }

      private mutating func stored(
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> Response<Root>? {
        let policy = source.policy
        // Otherwise the cache is read if the policy allows it.
        guard
          policy.kind == .cacheAndNetwork || source.isIncremental && policy.kind != .networkFirst,
          policy.readsCache
        else { return nil }
        do {
          let cached = CachePolicy(kind: .cacheOnly, expiry: policy.expiry)
          let response = try await source.client.fetch(
            source.operation.get(), policy: cached, timeout: source.timeout)
          // A field that was null because of an error may have a value by now.
          if policy.kind == .cacheFirst,
            response.data?.lacksValues(of: response.errors.map(\.path)) ?? true
          {
            return nil
          }
          if policy.kind != .cacheAndNetwork { stage = .ended }
          return response
        } catch {
          guard policy.kind != .cacheOnly, case QueryError.other = QueryError(error) else {
            throw error
          }
          return nil
        }
      }

      private mutating func open(
        isolation: isolated (any Actor)? = #isolation
      ) async throws -> Response<Root>? {
        let operation = try source.operation.get()
        guard source.isIncremental else {
          stage = .ended
          let policy = source.policy
          return try await source.client.fetch(
            operation, policy: policy.kind == .cacheAndNetwork ? .networkOnly : policy,
            timeout: source.timeout, stores: source.client.stores(policy))
        }
        let generation = source.client.models?.generation
        let request = try await source.client.prepare(
          OperationRequest(
            operation, timeout: source.client.configuration.attemptTimeout,
            deadline: source.client.deadline(source.timeout)))
        let opening = try await source.client.pipeline.open(
          request, accept: ResponseStream.accept,
          silence: source.client.configuration.incrementalTimeout)
        switch opening {
        case .stream(let stream):
          stage = .stream(stream, IncrementalResult(), request.reader, generation)
          return nil
        case .response(let response):
          stage = .ended
          let content = await source.client.kept(response.content, in: generation)
          return Response(content, source: .network)
        }
      }

      private static func parse(_ bytes: [UInt8]) throws(QueryError) -> JSON {
        do { return try JSON(parsing: bytes) } catch {
          throw .jsonDeserializationFailed(body: ErrorBody(headers: [:], bytes: bytes))
        }
      }

      private static func snapshot(
        _ result: IncrementalResult, _ reader: OperationReader
      ) throws(QueryError) -> OperationContent {
        let bytes = result.bytes
        do {
          return try reader.read(bytes)
        } catch {
          throw QueryError(error, body: ErrorBody(headers: [:], bytes: bytes))
        }
      }
    }
  }
}
