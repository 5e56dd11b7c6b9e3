import Foundation
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

/// Reads the operations of an HTTP request: a GET's parameters, a JSON body, or a multipart form
/// (GraphQL over HTTP; GraphQL multipart request specification).
struct RequestReader {
  /// The operations of a request, and whether they are a batch, whose response is a list.
  struct Contents {
    var operations: [RequestedOperation]
    var isBatch = false
  }

  /// A request that is refused with a status.
  struct Refusal: Error {
    let status: Int
    let error: ExecutionError

    init(_ status: Int, _ message: String) {
      self.status = status
      error = ExecutionError(message)
    }
  }

  static func read(_ request: Graph.HTTPRequest) throws(Refusal) -> Contents {
    switch (request.method, request.body) {
    case (.get, _): return Contents(operations: [try parameters(of: request.url)])
    case (.post, .bytes(let bytes)):
      let type = request.headers["content-type"]?.lowercased() ?? ""
      guard type.hasPrefix("application/json") else {
        throw Refusal(415, "The content type is not application/json.")
      }
      return try contents(bytes)
    case (.post, .multipart(let form)): return try contents(form)
    case (.post, .none): throw Refusal(400, "The request has no body.")
    }
  }

  private static func parameters(of url: URL) throws(Refusal) -> RequestedOperation {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    var object = JSON.Object()
    for item in items {
      guard let value = item.value else { continue }
      switch item.name {
      case "query", "documentId", "operationName": object[item.name] = .string(value)
      case "variables", "extensions": object[item.name] = try json(Array(value.utf8))
      default: continue
      }
    }
    return try request(.object(object))
  }

  private static func contents(_ bytes: [UInt8]) throws(Refusal) -> Contents {
    let body = try json(bytes)
    guard case .array(let elements) = body else {
      return Contents(operations: [try request(body)])
    }
    if elements.isEmpty { throw Refusal(400, "The batch is empty.") }
    var operations: [RequestedOperation] = []
    for element in elements { operations.append(try request(element)) }
    return Contents(operations: operations, isBatch: true)
  }

  /// A file arrives as an object with its name, type and size.
  private static func contents(_ form: Graph.MultipartForm) throws(Refusal) -> Contents {
    func bytes(_ name: String) throws(Refusal) -> [UInt8] {
      guard case .bytes(let bytes)? = form.parts.first(where: { $0.name == name })?.content else {
        throw Refusal(400, "The form has no part `\(name)`.")
      }
      return bytes
    }
    var operations = try json(bytes("operations"))
    guard case .object(let map) = try json(bytes("map")) else {
      throw Refusal(400, "The form's part `map` is not an object.")
    }
    for entry in map {
      guard case .array(let places) = entry.value,
        let part = form.parts.first(where: { $0.name == entry.key })
      else {
        throw Refusal(400, "The form's part `map` has an entry without a part or without a list.")
      }
      for place in places {
        let path = place.text.map { $0.split(separator: ".").map(String.init) } ?? []
        guard operations.replace(at: path[...], with: part.summary) else {
          throw Refusal(400, "The form's part `map` has a path that does not lead to null.")
        }
      }
    }
    if case .array(let elements) = operations {
      var requests: [RequestedOperation] = []
      for element in elements { requests.append(try request(element)) }
      return Contents(operations: requests, isBatch: true)
    }
    return Contents(operations: [try request(operations)])
  }

  private static func request(_ json: JSON) throws(Refusal) -> RequestedOperation {
    do throws(ExecutionError) {
      return try RequestedOperation(json)
    } catch {
      throw Refusal(400, error.message)
    }
  }

  private static func json(_ bytes: [UInt8]) throws(Refusal) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      throw Refusal(400, "The request is not JSON: \(error.message).")
    }
  }
}

extension Graph.MultipartForm.Part {
  fileprivate var summary: JSON {
    let size: Int? =
      switch content {
      case .bytes(let bytes): bytes.count
      case .file(let url):
        try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
      }
    return [
      "fileName": fileName.map(JSON.string) ?? .null,
      "contentType": contentType.map(JSON.string) ?? .null,
      "size": size.map { JSON($0) } ?? .null,
    ]
  }
}

extension JSON {
  /// Replaces the null at a path of keys and indices. Limited by the path, which is no longer than
  /// the tree is deep.
  fileprivate mutating func replace(at path: ArraySlice<String>, with value: JSON) -> Bool {
    guard let step = path.first else {
      guard isNull else { return false }
      self = value
      return true
    }
    switch self {
    case .object(var object):
      guard var child = object[step], child.replace(at: path.dropFirst(), with: value) else {
        return false
      }
      object[step] = child
      self = .object(object)
    case .array(var elements):
      guard let index = Int(step), elements.indices.contains(index),
        elements[index].replace(at: path.dropFirst(), with: value)
      else { return false }
      self = .array(elements)
    case .null, .bool, .number, .string: return false
    }
    return true
  }
}
