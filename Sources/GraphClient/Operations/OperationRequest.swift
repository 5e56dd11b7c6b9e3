import GraphJSON
import GraphQLRuntime

extension Graph {
  /// An operation before it is sent, as interceptors receive it.
  public struct OperationRequest: Sendable {
    /// Query, mutation or subscription.
    public let kind: GraphQL.OperationType
    /// The operation's name, if it has one.
    public let name: String?
    /// The document's text.
    public let document: String
    /// The variables as a JSON object.
    public let variables: [UInt8]
    /// Header fields of the HTTP request. Values may be secrets.
    public var headers: Headers
    /// Additional information in the request, sent as `extensions`.
    public var extensions: JSON.Object
    /// The maximum time from sending one attempt until its whole response has been received.
    public var timeout: Duration?
    /// Set if a mutation may be retried: the server responds to the second request as to the first.
    public let idempotencyKey: String?

    let uploads: [(path: String, upload: GraphQL.Upload)]
    let reader: OperationReader
    /// The deadline of the call.
    var deadline: Deadline?
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

  /// The timeout for the transport when the request is sent now: its own limit or the remaining
  /// time of the call.
  var transportTimeout: Duration? {
    guard let deadline else { return timeout }
    let remaining = max(deadline.remaining, .zero)
    return timeout.map { min($0, remaining) } ?? remaining
  }

  /// Whether a second attempt is harmless.
  var canRepeat: Bool { kind == .query || idempotencyKey != nil }
}

extension Graph.OperationRequest: CustomStringConvertible, CustomReflectable {
  /// Kind and name: no variables, no secrets.
  public var description: String { "\(kind.rawValue) \(name ?? "(anonymous)")" }

  public var customMirror: Mirror { Mirror(self, children: ["operation": description]) }
}
