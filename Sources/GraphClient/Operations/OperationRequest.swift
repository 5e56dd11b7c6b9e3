import GraphJSON
import GraphQLRuntime

extension Graph {
  /// An operation on its way to the server, as interceptors see it.
  public struct OperationRequest: Sendable {
    /// Query, mutation or subscription.
    public let kind: GraphQL.OperationKind
    /// The operation's name, where it has one.
    public let name: String?
    /// The document's text.
    public let document: String
    /// The variables as a JSON object.
    public let variables: [UInt8]
    /// Header fields of the HTTP request. Values may be secrets.
    public var headers: Headers
    /// What the request says beside the operation, sent as `extensions`.
    public var extensions: JSONObject
    /// The longest time from the sending of one attempt until its whole answer has been received.
    public var timeout: Duration?
    /// Set where a mutation may be sent again: the server answers the second like the first.
    public let idempotencyKey: String?

    let uploads: [(path: String, upload: GraphQL.Upload)]
    let reader: OperationReader
    /// When the call has to be over.
    var deadline: Deadline?
  }

  /// Reads answers to one operation without telling of which type they are.
  struct OperationReader: Sendable {
    /// Tells apart operations of equal text whose answers are read as different types.
    let root: ObjectIdentifier
    let read: @Sendable (consuming [UInt8]) throws(GraphQL.ResponseFailure) -> OperationContent

    init<Root>(_ operation: GraphQL.Operation<Root>) {
      root = ObjectIdentifier(Root.self)
      read = { bytes throws(GraphQL.ResponseFailure) in
        let response = try operation.response(from: bytes)
        return OperationContent(
          data: response.data, reasons: response.errors.map(Reason.init),
          extensions: response.extensions, isSensitive: { operation.isSensitive(response) },
          keep: { manager, generation in
            try await manager.write(response, of: operation, in: generation)
          })
      }
    }
  }

  /// A response as it was read.
  struct OperationContent: Sendable {
    let data: GraphQL.AbstractResponse?
    let reasons: [Reason]
    let extensions: JSON?
    /// Looks through the whole response, which only matters where it would be stored.
    let isSensitive: @Sendable () -> Bool
    /// Hands the response to a model manager.
    var keep: Keeping = { _, _ in }
    /// Why the model manager has not kept the response.
    var modelError: (any Error)?

    typealias Keeping =
      @Sendable (any GraphQL.ModelManager, GraphQL.ModelGeneration?) async throws -> Void

    /// Of a stream that has been opened.
    static let none = OperationContent(
      data: nil, reasons: [], extensions: nil, isSensitive: { false })
  }
}

extension Graph.OperationRequest {
  init<Root>(
    _ operation: GraphQL.Operation<Root>, headers: Graph.Headers = [:], timeout: Duration? = nil,
    deadline: Graph.Deadline? = nil, idempotencyKey: String? = nil
  ) {
    self.init(
      kind: operation.kind, name: operation.name, document: operation.document,
      variables: operation.variables, headers: headers, extensions: [:], timeout: timeout,
      idempotencyKey: idempotencyKey, uploads: operation.uploads,
      reader: Graph.OperationReader(operation), deadline: deadline)
  }

  /// What the transport is given to send the request now: its own limit or what is left of the call's.
  var transportTimeout: Duration? {
    guard let deadline else { return timeout }
    let remaining = max(deadline.remaining, .zero)
    return timeout.map { min($0, remaining) } ?? remaining
  }

  /// Whether a second attempt can do no harm.
  var canRepeat: Bool { kind == .query || idempotencyKey != nil }
}

extension Graph.OperationRequest: CustomStringConvertible, CustomReflectable {
  /// Kind and name: no variables, no secrets.
  public var description: String { "\(kind.rawValue) \(name ?? "(anonymous)")" }

  public var customMirror: Mirror { Mirror(self, children: ["operation": description]) }
}
