import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Sends operations by the hash of their document if the server supports it.
  final class PersistedExchange: Sendable {
    private let exchange: HTTPExchange
    private let settings: PersistedQueries
    /// Cleared permanently when the server reports that it does not support them.
    private let isSupported = Locked(true)

    init(_ exchange: HTTPExchange, settings: PersistedQueries) {
      self.exchange = exchange
      self.settings = settings
    }

    func response(to request: OperationRequest) async throws -> OperationResponse {
      guard settings.mode != .off, request.operation.uploads.isEmpty, request.kind != .subscription,
        isSupported.withLock({ $0 })
      else { return try await exchange.response(to: request) }
      if request.documentID != nil {
        return try await exchange.response(to: request, http: httpRequest(request))
      }
      let hashed = request.withHash()
      var result = await Self.result {
        try await exchange.response(to: hashed, http: httpRequest(hashed))
      }
      if Outcome(result) == .notFound {
        result = await Self.result { try await exchange.response(to: hashed) }
      }
      // The servers behind an address may differ, so this may also be the response to the document.
      guard Outcome(result) == .notSupported else { return try result.get() }
      isSupported.withLock { $0 = false }
      return try await exchange.response(to: request)
    }

    private static func result(
      _ send: () async throws -> OperationResponse
    ) async -> Result<OperationResponse, any Error> {
      do { return .success(try await send()) } catch { return .failure(error) }
    }

    private func httpRequest(_ request: OperationRequest) throws -> HTTPRequest {
      let post = exchange.httpRequest(request, body: .bytes(request.body(document: false)))
      guard case .get(let limit) = settings.mode, request.kind == .query,
        let url = exchange.endpoint.appending(request), url.absoluteString.utf8.count <= limit
      else { return post }
      var get = post
      get.method = .get
      get.url = url
      get.body = .none
      get.headers["Content-Type"] = nil
      get.headers.requirePreflight(of: request.name)
      return get
    }

    private enum Outcome {
      case known, notFound, notSupported

      init(_ outcome: Result<OperationResponse, any Error>) {
        let errors: [GraphQL.ResponseError]
        switch outcome {
        case .success(let response): errors = response.data == nil ? response.errors : []
        case .failure(let error): errors = (error as? QueryError)?.errors ?? []
        }
        self =
          if errors.contains(where: {
            $0.hasMessage("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
          }) {
            .notFound
          } else if errors.contains(where: {
            $0.hasMessage("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED")
          }) {
            .notSupported
          } else {
            .known
          }
      }
    }
  }
}

extension GraphQL.ResponseError {
  fileprivate func hasMessage(_ message: String, _ code: String) -> Bool {
    self.message == message || self.code == code
  }
}

extension Graph.OperationRequest {
  fileprivate func withHash() -> Graph.OperationRequest {
    var request = self
    request.extensions["persistedQuery"] = [
      "version": 1, "sha256Hash": .string(operation.hash),
    ]
    return request
  }
}

extension URL {
  /// The address of a GET (GraphQL over HTTP, GET).
  fileprivate func appending(_ request: Graph.OperationRequest) -> URL? {
    var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
    var extensions = JSONWriter()
    extensions.value(.object(request.extensions))
    var items: [URLQueryItem] = []
    if let documentID = request.documentID, let member = documentID.member {
      items.append(URLQueryItem(name: member, value: documentID.id))
    }
    if !request.extensions.isEmpty {
      items.append(
        URLQueryItem(
          name: "extensions", value: String(decoding: extensions.finish(), as: UTF8.self)))
    }
    if let name = request.name { items.append(URLQueryItem(name: "operationName", value: name)) }
    if request.operation.hasVariables {
      items.append(
        URLQueryItem(name: "variables", value: String(decoding: request.variables, as: UTF8.self)))
    }
    let query = items.map { item in
      "\(item.name)=\(item.value?.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "")"
    }
    let existing = components?.percentEncodedQuery.map { [$0] } ?? []
    components?.percentEncodedQuery = (existing + query).joined(separator: "&")
    return components?.url
  }
}

extension CharacterSet {
  /// RFC 3986, section 2.3. Many servers treat `+` as a space.
  fileprivate static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension Graph {
  /// Whether documents are sent by their hash (automatic persisted queries, version 1).
  public struct PersistedQueries: Sendable, Hashable {
    enum Mode: Hashable {
      case off
      case post
      case get(maximumURLLength: Int)
    }

    let mode: Mode

    /// Every request carries its document.
    public static let off = PersistedQueries(mode: .off)
    /// Requests carry the hash; the document follows when the server does not know it.
    public static let post = PersistedQueries(mode: .post)

    /// Like ``post``, but hashed queries are GET requests, which intermediate caches can serve, if
    /// the address has at most that many bytes.
    public static func get(maximumURLLength: Int = 2000) -> PersistedQueries {
      PersistedQueries(mode: .get(maximumURLLength: maximumURLLength))
    }
  }
}

extension Graph {
  /// Operations are sent by an id and without their text, to a service that accepts only documents that it knows
  /// (trusted documents, also called persisted operations or a safelist).
  ///
  /// An operation that the manifest does not have fails with ``QueryError/Code/untrustedDocument``, and nothing is
  /// sent. `graphql-generator` writes the manifest of documents; that of builders is recorded by tests with the mock
  /// endpoint.
  public struct TrustedDocuments: Sendable {
    /// The place of the id in a request.
    public struct Form: Sendable, Hashable {
      enum Place: Hashable {
        case persistedQuery
        case member(String)
      }

      let place: Place

      /// `extensions.persistedQuery.sha256Hash`, as for automatic persisted queries.
      public static let persistedQuery = Form(place: .persistedQuery)
      /// The member `documentId` of the request (GraphQL over HTTP, Persisted Documents). An id that is a SHA-256 hash
      /// has the prefix `sha256:` there.
      public static let documentID = Form(place: .member("documentId"))
      /// A member of the request with this name, such as `doc_id`.
      public static func member(_ name: String) -> Form { Form(place: .member(name)) }
    }

    /// A manifest is not JSON, or has another format.
    public struct InvalidManifest: Error, Hashable, Sendable, CustomStringConvertible {
      /// The problem, for developers.
      public let description: String
    }

    private let form: Form
    /// The ids by the bytes of the document's text; nil if each document has its hash.
    private let ids: [ExactKey: String]?

    /// Every operation is sent by the SHA-256 hash of its text in hexadecimal. Only the service decides which it
    /// accepts.
    public static func hashes(form: Form = .persistedQuery) -> TrustedDocuments {
      TrustedDocuments(form: form, ids: nil)
    }

    private init(form: Form, ids: [ExactKey: String]?) {
      self.form = form
      self.ids = ids
    }

    /// - Parameter manifest: JSON, either `apollo-persisted-query-manifest`, version 1, or Relay's object with the
    ///   texts of documents by their ids.
    public init(
      manifest: some Sequence<UInt8>, form: Form = .persistedQuery
    ) throws(InvalidManifest) {
      let json: JSON
      do {
        json = try JSON(parsing: Array(manifest))
      } catch {
        throw InvalidManifest(description: "the manifest is not JSON: \(error)")
      }
      self.init(form: form, ids: try Self.ids(json))
    }

    private static func ids(_ json: JSON) throws(InvalidManifest) -> [ExactKey: String] {
      // Relay's ids are hashes.
      if let format = json["format"] { return try apolloIDs(format, json) }
      guard case .object(let object) = json else {
        throw InvalidManifest(description: "the manifest is not an object")
      }
      var ids: [ExactKey: String] = [:]
      for member in object.members {
        guard case .string(let text) = member.value else {
          throw InvalidManifest(
            description:
              "the manifest is neither one of Apollo nor an object with texts by their ids")
        }
        ids[ExactKey(text)] = member.key
      }
      return ids
    }

    private static func apolloIDs(
      _ format: JSON, _ json: JSON
    ) throws(InvalidManifest) -> [ExactKey: String] {
      guard format == "apollo-persisted-query-manifest" else {
        throw InvalidManifest(description: "the format of the manifest is not Apollo's")
      }
      guard case .number(let version)? = json["version"], version.int64 == 1 else {
        throw InvalidManifest(description: "the version of the manifest has to be 1")
      }
      guard case .array(let operations)? = json["operations"] else {
        throw InvalidManifest(description: "the manifest has no list of operations")
      }
      var ids: [ExactKey: String] = [:]
      for operation in operations {
        guard case .string(let id)? = operation["id"], case .string(let text)? = operation["body"]
        else {
          throw InvalidManifest(description: "an operation of the manifest has no id or no body")
        }
        ids[ExactKey(text)] = id
      }
      return ids
    }

    /// The request without its text.
    ///
    /// - Throws: ``QueryError`` with `untrustedDocument`.
    func identified(_ request: OperationRequest) throws(QueryError) -> OperationRequest {
      var request = request
      let id = if let ids { ids[ExactKey(request.document)] } else { request.operation.hash }
      guard let id else {
        throw QueryError(
          .untrustedDocument,
          message: "the manifest of trusted documents does not have the \(request); write it again",
          request: request)
      }
      switch form.place {
      case .persistedQuery:
        request.extensions["persistedQuery"] = ["version": 1, "sha256Hash": .string(id)]
        request.documentID = OperationRequest.DocumentID(member: nil, id: id)
      case .member(let name):
        let isHash = id.utf8.count == 64 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        request.documentID = OperationRequest.DocumentID(
          member: name, id: isHash && form == .documentID ? "sha256:\(id)" : id)
      }
      return request
    }
  }
}
