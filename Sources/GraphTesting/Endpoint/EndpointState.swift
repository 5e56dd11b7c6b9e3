import GraphClient
import GraphQLExecution
import GraphQLSchema

/// The state that an endpoint keeps between requests.
struct EndpointState {
  /// How many documents and requests are kept.
  static let limit = 1_000

  var requestCount = 0
  /// The last requests.
  var requests: [MockRequest] = []
  /// Faults for the next requests, one element each.
  var queue: [[MockFault]] = []
  /// Documents by their text, with their errors.
  var documents: [String: CheckedDocument] = [:]
  /// The texts of persisted documents by their hash, or their id.
  var persisted: [String: String] = [:]
  /// The operations with a name that were requested, by their texts: see ``MockEndpoint/manifest()``.
  var operations: [String: (name: String, kind: OperationType)] = [:]

  mutating func note(
    _ http: Graph.HTTPRequest, _ operations: [RequestedOperation]
  ) -> (request: MockRequest, queued: [MockFault]?) {
    let request = MockRequest(number: requestCount, http: http, operations: operations)
    requestCount += 1
    // Drops half at once, so that the cost per request is small.
    if requests.count == 2 * Self.limit { requests.removeFirst(Self.limit) }
    requests.append(request)
    return (request, queue.isEmpty ? nil : queue.removeFirst())
  }

  mutating func remember(_ document: CheckedDocument, for text: String) {
    if documents.count >= Self.limit { documents.removeAll() }
    documents[text] = document
    guard document.errors.isEmpty, document.document.operations.count == 1,
      let operation = document.document.operations.first, let name = operation.name
    else { return }
    operations[text] = (name, operation.operationType)
  }
}

/// A parsed document and its request errors, if it is not valid.
struct CheckedDocument: Sendable {
  let document: Document
  let errors: [ExecutionError]
}
