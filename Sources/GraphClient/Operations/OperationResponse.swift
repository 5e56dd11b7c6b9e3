import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The response to one attempt, as interceptors receive it. It can have both data and errors.
  public struct OperationResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The response's header fields.
    public let headers: Headers
    /// The entries of `errors`.
    public var errors: [GraphQL.ResponseError] { content.errors }
    /// Additional information from the server, such as the cost of the operation.
    public var extensions: JSON? { content.extensions }
    /// nil if the server could not execute the operation at all.
    public var data: (any GraphQL.ResponseRoot)? { content.data }

    let content: CheckedResponse
    /// The response's JSON.
    let bytes: [UInt8]
    /// The header fields of the request that the server accepted. An interceptor may have replaced its token.
    var sentHeaders: Headers = [:]

    /// The response as the content of an error.
    var failedResponse: FailedResponse {
      FailedResponse(status: status, headers: headers, bytes: bytes)
    }
  }
}

extension Graph.OperationResponse: CustomStringConvertible, CustomReflectable {
  /// The status and the kind of content: no values, no secrets.
  public var description: String {
    "status \(status), \(data == nil ? "no data" : "data"), \(errors.count) errors"
  }

  public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}

extension Graph {
  /// A response that was read and checked against its operation.
  struct CheckedResponse: Sendable {
    let data: (any GraphQL.ResponseRoot)?
    let errors: [GraphQL.ResponseError]
    let extensions: JSON?
    /// Whether it contains sensitive objects. A closure, since it searches the whole response,
    /// which is only necessary before the response is stored.
    let isSensitive: @Sendable () -> Bool
    /// Passes the response to a store.
    var keep: Keeping = { _, _, _ in }
    /// Why the store has not kept the response.
    var storeError: (any Error)?

    typealias Keeping =
      @Sendable (any GraphQL.ResponseStore, GraphQL.StoreGeneration?, StoreEffect) async throws ->
      Void

    /// For an opened stream.
    static let none = CheckedResponse(
      data: nil, errors: [], extensions: nil, isSensitive: { false })
  }

  /// The effect of a mutation on a store in addition to the objects of its response.
  struct StoreEffect: Sendable {
    /// The expected change that the response replaces.
    var expected: GraphQL.OptimisticChangeID?
    var updates: Graph.StoreChange = []

    var isNone: Bool { expected == nil && updates.isEmpty }
  }
}

extension Graph {
  /// Reads responses to one operation without exposing their type.
  struct OperationReader: Sendable {
    /// Distinguishes operations of equal text whose responses are read as different types.
    let root: ObjectIdentifier
    private let readPart: Reading

    private typealias Reading =
      @Sendable (consuming [UInt8], GraphQL.ResponseContext) throws(GraphQL.ResponseFailure) ->
      CheckedResponse

    init<Root>(_ operation: GraphQL.Operation<Root>) {
      root = ObjectIdentifier(Root.self)
      readPart = { bytes, context throws(GraphQL.ResponseFailure) in
        let response = try operation.response(from: bytes, context)
        return CheckedResponse(
          data: response.data, errors: response.errors,
          extensions: response.extensions, isSensitive: { operation.isSensitive(response) },
          keep: { store, generation, effect in
            guard !effect.isNone, let store = store as? any GraphQL.OptimisticResponseStore else {
              return try await store.store(response, of: operation, in: generation)
            }
            try await store.store(
              response, of: operation, in: generation, applying: effect.updates,
              inPlaceOf: effect.expected)
          })
      }
    }

    /// - Parameter context: how much of the response has arrived.
    func read(
      _ bytes: consuming [UInt8], _ context: GraphQL.ResponseContext = .complete
    ) throws(GraphQL.ResponseFailure) -> CheckedResponse {
      try readPart(bytes, context)
    }
  }
}

extension Graph {
  /// Turns an HTTP response into a GraphQL response (GraphQL over HTTP, Processing a response).
  ///
  /// A body of type `application/graphql-response+json` is a response for every status, including
  /// 294 for partial success. Any other body is a response only with a status of 2xx. Then its
  /// media type may be missing, or wrong if the body is a JSON object, since some servers send such
  /// responses. With other statuses, an intermediary may have written the body, which is only a
  /// diagnosis.
  struct ResponseReader {
    let request: OperationRequest

    func read(
      status: Int, headers: Headers, bytes: [UInt8]
    ) throws(QueryError) -> OperationResponse {
      let bytes = bytes.withoutByteOrderMark
      let isSuccess = (200..<300).contains(status)
      var failed: FailedResponse { FailedResponse(status: status, headers: headers, bytes: bytes) }
      let contentType = headers["Content-Type"]
      switch MediaType(contentType)?.essence {
      case MediaType.graphQLResponse: break
      case MediaType.json where isSuccess: break
      case _ where !isSuccess:
        throw .status(failed, errors: GraphQL.ResponseError.list(in: bytes))
      case nil where contentType == nil: break
      case _ where bytes.beginsObject: break
      default: throw unexpectedType(failed)
      }
      if bytes.isEmpty {
        throw isSuccess ? .noData(failed) : .status(failed)
      }
      do {
        let content = try request.observation.reading(bytes.count) {
          () throws(GraphQL.ResponseFailure) in try request.reader.read(bytes)
        }
        return OperationResponse(
          status: status, headers: headers, content: content, bytes: bytes,
          sentHeaders: request.headers)
      } catch {
        throw QueryError(error, failed)
      }
    }

    private func unexpectedType(_ response: FailedResponse) -> QueryError {
      let type = MediaType(response.headers["Content-Type"])?.essence ?? "no media type"
      return QueryError(
        .unexpectedContentType,
        message: type == MediaType.multipartMixed
          ? "the response arrives in several parts, which responses(to:) reads"
          : "the response is \(type), not a GraphQL response",
        response: response)
    }
  }
}

extension [UInt8] {
  /// Whether the first byte after whitespace opens a JSON object.
  fileprivate var beginsObject: Bool {
    first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }

  /// RFC 8259, section 8.1: a reader may ignore a byte order mark.
  var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}

extension GraphQL.ResponseError {
  /// The errors of a body that is not trusted as a response; empty if it has none.
  static func list(in bytes: [UInt8]) -> [GraphQL.ResponseError] {
    guard let root = try? JSONDocument(parsing: bytes).root else { return [] }
    return (root["errors"]?.array ?? []).compactMap { error in
      guard let message = error["message"]?.string ?? error.string else { return nil }
      return GraphQL.ResponseError(message: message, extensions: error["extensions"]?.json)
    }
  }
}
