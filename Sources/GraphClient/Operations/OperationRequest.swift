import GraphJSON
import GraphQLRuntime

extension Graph {
  /// An operation before it is sent, as interceptors receive it.
  public struct OperationRequest: Sendable {
    /// Query, mutation or subscription.
    public var kind: GraphQL.OperationType { operation.kind }
    /// The operation's name, if it has one.
    public var name: String? { operation.name }
    /// The document's text.
    public var document: String { operation.document }
    /// The variables as a JSON object.
    public var variables: [UInt8] { operation.variables }
    /// The directives of the document that are not sent. An operation that an outbox sends has none.
    public var clientDirectives: [GraphQL.ClientDirective] { operation.clientDirectives }
    /// Header fields of the HTTP request. Values may be secrets.
    public var headers: Headers
    /// Additional information in the request, sent as `extensions`.
    public var extensions: JSON.Object
    /// The maximum time from sending one attempt until its whole response has been received.
    public var timeout: Duration?
    /// The span of this attempt, sent as `traceparent` unless ``headers`` has that field; nil if the call has no trace.
    /// An interceptor sees it in `intercept(_:next:)`.
    public internal(set) var traceContext: TraceContext?
    /// Set if a mutation may be retried: the server responds to the second request as to the first.
    public let idempotencyKey: String?

    /// The operation. A reference, since requests are copied often.
    let operation: RequestedOperation
    /// The deadline of the call.
    var deadline: Deadline?
    /// Set if the document is sent by an id.
    var documentID: DocumentID?
    /// nil if the client has no observers.
    let observation: CallObservation?

    /// An id that is sent in place of the document.
    struct DocumentID {
      /// The member of the request; nil if an extension has the id.
      let member: String?
      let id: String
    }
  }
}

extension Graph {
  /// The operation of a request, without the type of its response.
  final class RequestedOperation: Sendable {
    let kind: GraphQL.OperationType
    let name: String?
    let document: String
    let variables: [UInt8]
    let clientDirectives: [GraphQL.ClientDirective]
    let uploads: [(path: String, upload: GraphQL.Upload)]
    let reader: OperationReader
    /// nil if the document is not of a generated module.
    let schema: GraphQL.SchemaTable?
    /// The SHA-256 of the document, if the generator has computed it.
    private let knownHash: String?

    init<Root>(_ operation: GraphQL.Operation<Root>) {
      kind = operation.kind
      name = operation.name
      document = operation.document
      variables = operation.variables
      clientDirectives = operation.clientDirectives
      uploads = operation.uploads
      reader = OperationReader(operation)
      schema = operation.content.schema
      knownHash = operation.documentHash
    }

    /// The SHA-256 of the document in hexadecimal.
    var hash: String { knownHash ?? SHA256.hexDigest(document) }
    var hasVariables: Bool { variables.count > 2 }
  }
}

extension Graph.OperationRequest {
  init<Root>(
    _ operation: GraphQL.Operation<Root>, headers: Graph.Headers = [:], timeout: Duration? = nil,
    deadline: Graph.Deadline? = nil, idempotencyKey: String? = nil,
    observation: Graph.CallObservation? = nil
  ) {
    self.operation = Graph.RequestedOperation(operation)
    self.headers = headers
    extensions = [:]
    self.timeout = timeout
    self.idempotencyKey = idempotencyKey
    self.deadline = deadline
    self.observation = observation
    if observation == nil { traceContext = Graph.TraceContext.current }
  }

  /// The timeout for the transport when the request is sent now: its own limit or the remaining
  /// time of the call.
  var transportTimeout: Duration? {
    guard let deadline else { return timeout }
    let remaining = max(deadline.remaining, .zero)
    return timeout.map { min($0, remaining) } ?? remaining
  }

  /// The prepared request with the values of its header fields that the server accepted. Fields that interceptors add
  /// to an attempt are not part of the next prepared request.
  func accepted(with sent: Graph.Headers) -> Graph.OperationRequest {
    var request = self
    for name in Set(headers.fields.map { $0.name.lowercased() }) {
      if let value = sent[name], value != headers[name] { request.headers[name] = value }
    }
    return request
  }

  /// Whether a second attempt is harmless.
  var canRepeat: Bool { kind == .query || idempotencyKey != nil }
}

extension Graph.OperationRequest: CustomStringConvertible, CustomReflectable {
  /// Kind and name: no variables, no secrets.
  public var description: String { "\(kind.rawValue) \(name ?? "(anonymous)")" }

  public var customMirror: Mirror { Mirror(self, children: ["operation": description]) }
}

extension Graph.OperationRequest {
  /// The body of a JSON request: `query`, `operationName`, `variables` and `extensions`, if there
  /// are any, and nothing else (GraphQL over HTTP, Request Parameters).
  ///
  /// - Parameter document: false leaves out the text, for a server that identifies it by its hash. A trusted
  ///   document has its id in place of the text.
  func body(document includesDocument: Bool = true) -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, document: includesDocument)
    return writer.finish()
  }

  package func write(to writer: inout JSONWriter, document includesDocument: Bool = true) {
    writer.beginObject()
    if let documentID {
      if let member = documentID.member {
        writer.key(member)
        writer.string(documentID.id)
      }
    } else if includesDocument {
      writer.key("query")
      writer.string(document)
    }
    if let name {
      writer.key("operationName")
      writer.string(name)
    }
    if operation.hasVariables {
      writer.key("variables")
      writer.fragment(variables)
    }
    if !extensions.isEmpty {
      writer.key("extensions")
      writer.value(.object(extensions))
    }
    writer.endObject()
  }
}

extension Graph.MultipartForm {
  /// An operation and its files (GraphQL multipart request specification): `operations`, then `map`
  /// from each file's part to its path in the variables, then the files.
  init(_ request: Graph.OperationRequest) {
    var map = JSONWriter()
    map.beginObject()
    for (index, (path, _)) in request.operation.uploads.enumerated() {
      map.key("\(index)")
      map.beginArray()
      map.string(path)
      map.endArray()
    }
    map.endObject()
    let files = request.operation.uploads.enumerated().map { index, entry in
      Part(
        name: "\(index)", fileName: entry.upload.fileName, contentType: entry.upload.contentType,
        content: Part.Content(entry.upload.content))
    }
    self.init(
      parts: [
        Part(name: "operations", content: .bytes(request.body())),
        Part(name: "map", content: .bytes(map.finish())),
      ] + files)
  }
}

extension Graph.MultipartForm.Part.Content {
  fileprivate init(_ content: GraphQL.Upload.Content) {
    self =
      switch content {
      case .data(let data): .bytes(Array(data))
      case .file(let url): .file(url)
      }
  }
}

extension String {
  /// Whether a document uses `@defer` or `@stream`.
  var arrivesInParts: Bool {
    // The search for directives is only necessary for a document that may have one.
    guard contains("defer") || contains("stream") else { return false }
    var text = utf8[...]
    while let byte = text.popFirst() {
      switch byte {
      case UInt8(ascii: "#"):
        text = text.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      case UInt8(ascii: "\""): text.dropString()
      case UInt8(ascii: "@"):
        let name = text.drop { " \t\r\n,".utf8.contains($0) }.prefix(while: \.isName)
        if name.elementsEqual("defer".utf8) || name.elementsEqual("stream".utf8) { return true }
      default: break
      }
    }
    return false
  }
}

extension Substring.UTF8View {
  /// Removes a string or block string whose first quote has been read (GraphQL, section 2.9.4).
  fileprivate mutating func dropString() {
    let isBlock = starts(with: "\"\"".utf8)
    let end = isBlock ? "\"\"\"" : "\""
    let escape = isBlock ? "\\\"\"\"" : "\\"
    if isBlock { removeFirst(2) }
    while !isEmpty {
      if starts(with: escape.utf8) {
        // The escape of a string has one more character.
        self = dropFirst(isBlock ? 4 : 2)
      } else if starts(with: end.utf8) {
        return removeFirst(end.utf8.count)
      } else {
        removeFirst()
      }
    }
  }
}

extension UInt8 {
  fileprivate var isName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

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
          () throws(GraphQL.ResponseFailure) in try request.operation.reader.read(bytes)
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
