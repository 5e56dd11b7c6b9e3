public import GraphClient
public import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// A request as a ``MockEndpoint`` has received it.
public struct MockRequest: Sendable {
  /// The number of earlier requests.
  public let number: Int
  /// The request as the transport received it.
  public let http: Graph.HTTPRequest
  /// One operation, or those of a batch; none if the body could not be read.
  public let operations: [RequestedOperation]
}

/// One operation of a request (GraphQL over HTTP, Request).
public struct RequestedOperation: Sendable, Equatable {
  /// The document's text; nil if only its hash is sent.
  public var document: String?
  /// The id that is sent in place of the text, if it is the member `documentId`.
  public var documentID: String?
  /// Which of the document's operations to execute; nil if there is only one.
  public var operationName: String?
  /// The values for the operation's variables.
  public var variables: JSON.Object
  /// Additional members from the client, such as `persistedQuery`.
  public var extensions: JSON.Object

  /// An operation of a request.
  public init(
    document: String?, documentID: String? = nil, operationName: String? = nil,
    variables: JSON.Object = [:], extensions: JSON.Object = [:]
  ) {
    self.document = document
    self.documentID = documentID
    self.operationName = operationName
    self.variables = variables
    self.extensions = extensions
  }

  /// Reads `{"query": …, "operationName": …, "variables": …, "extensions": …}`.
  init(_ json: JSON) throws(ExecutionError) {
    guard case .object(let object) = json else {
      throw ExecutionError("The request is not a JSON object.")
    }
    document = try Self.text("query", object)
    documentID = try Self.text("documentId", object)
    operationName = try Self.text("operationName", object)
    variables = try Self.map("variables", object)
    extensions = try Self.map("extensions", object)
  }

  private static func text(_ key: String, _ object: JSON.Object) throws(ExecutionError) -> String? {
    switch object[key] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw ExecutionError("The request's `\(key)` is not a string.")
    }
  }

  private static func map(
    _ key: String, _ object: JSON.Object
  ) throws(ExecutionError) -> JSON.Object {
    switch object[key] {
    case nil, .null: return [:]
    case .object(let map): return map
    default: throw ExecutionError("The request's `\(key)` is not an object.")
    }
  }
}
