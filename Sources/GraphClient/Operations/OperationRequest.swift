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
    /// The directives of the document that are not sent. An operation that an outbox sends has none.
    public let clientDirectives: [GraphQL.ClientDirective]
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

    let uploads: [(path: String, upload: GraphQL.Upload)]
    let reader: OperationReader
    /// nil if the document is not of a generated module.
    let schema: GraphQL.SchemaTable?
    /// The deadline of the call.
    var deadline: Deadline?
    /// Set if the document is sent by an id.
    var documentID: DocumentID?
    /// nil if the client has no observers.
    let observation: CallObservation?
    /// The SHA-256 of the document, if the generator has computed it.
    private let knownHash: String?

    /// An id that is sent in place of the document.
    struct DocumentID {
      /// The member of the request; nil if an extension has the id.
      let member: String?
      let id: String
    }

    /// The SHA-256 of the document in hexadecimal.
    var hash: String { knownHash ?? SHA256.hexDigest(document) }
  }
}

extension Graph.OperationRequest {
  init<Root>(
    _ operation: GraphQL.Operation<Root>, headers: Graph.Headers = [:], timeout: Duration? = nil,
    deadline: Graph.Deadline? = nil, idempotencyKey: String? = nil,
    observation: Graph.CallObservation? = nil
  ) {
    kind = operation.kind
    name = operation.name
    document = operation.document
    variables = operation.variables
    clientDirectives = operation.clientDirectives
    self.headers = headers
    extensions = [:]
    self.timeout = timeout
    self.idempotencyKey = idempotencyKey
    uploads = operation.uploads
    reader = Graph.OperationReader(operation)
    schema = operation.content.schema
    self.deadline = deadline
    knownHash = operation.documentHash
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

  func write(to writer: inout JSONWriter, document includesDocument: Bool = true) {
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
    if hasVariables {
      writer.key("variables")
      writer.fragment(variables)
    }
    if !extensions.isEmpty {
      writer.key("extensions")
      writer.value(.object(extensions))
    }
    writer.endObject()
  }

  var hasVariables: Bool { variables.count > 2 }
}

extension Graph.MultipartForm {
  /// An operation and its files (GraphQL multipart request specification): `operations`, then `map`
  /// from each file's part to its path in the variables, then the files.
  init(_ request: Graph.OperationRequest) {
    var map = JSONWriter()
    map.beginObject()
    for (index, (path, _)) in request.uploads.enumerated() {
      map.key("\(index)")
      map.beginArray()
      map.string(path)
      map.endArray()
    }
    map.endObject()
    let files = request.uploads.enumerated().map { index, entry in
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
