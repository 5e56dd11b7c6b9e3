import GraphJSON

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
      let id = if let ids { ids[ExactKey(request.document)] } else { request.hash }
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
