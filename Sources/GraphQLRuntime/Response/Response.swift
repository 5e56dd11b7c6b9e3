import GraphJSON

extension GraphQL {
  /// The answer to an operation (specification: 7.1 Response Format). Data and errors do not exclude
  /// each other.
  public struct Response<Root: AbstractResponse>: Sendable {
    /// nil when the operation could not be answered at all; `errors` then says why.
    public let data: Root?
    /// What the server reports as wrong; empty when all went well.
    public let errors: [ResponseError]
    /// What the server says beside, such as the cost of the operation.
    public let extensions: JSON?
  }

  /// An entry of `errors` (specification: 7.1.2 Errors).
  public struct ResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A place in the document's text.
    public struct Location: Hashable, Sendable {
      /// From 1.
      public let line: Int
      /// From 1.
      public let column: Int
    }

    /// What went wrong, for developers.
    public let message: String
    /// Places in the document.
    public let locations: [Location]
    /// The field in `data` that the error belongs to.
    public let path: [ResponsePathElement]
    /// What the server adds, such as a code.
    public let extensions: JSON?

    /// An error of a field, or of an operation where the path is empty.
    public init(
      message: String, locations: [Location] = [], path: [ResponsePathElement] = [],
      extensions: JSON? = nil
    ) {
      self.message = message
      self.locations = locations
      self.path = path
      self.extensions = extensions
    }

    public var description: String {
      path.isEmpty ? message : "\(path.text): \(message)"
    }
  }

  /// Bytes that are no answer to the operation.
  public enum ResponseFailure: Error, Sendable, CustomStringConvertible {
    /// The bytes are not JSON.
    case invalidJSON(JSONError)
    /// The JSON is not a response: what is wrong.
    case malformed(String)
    /// The data is not of the schema's types; the errors that came with it are kept.
    case schemaViolation(SchemaViolation, errors: [ResponseError])

    public var description: String {
      switch self {
      case .invalidJSON(let error): "the response is not JSON: \(error)"
      case .malformed(let problem): "not a GraphQL response: \(problem)"
      case .schemaViolation(let violation, _): "\(violation)"
      }
    }
  }
}

extension GraphQL.Operation {
  /// Reads and checks the server's answer.
  ///
  /// - Parameter bytes: the response's body, JSON in UTF-8.
  /// - Throws: ``GraphQL/ResponseFailure``. Errors that the server reports are no failure: they are
  ///   in the result.
  public func response(
    from bytes: consuming [UInt8]
  ) throws(GraphQL.ResponseFailure) -> GraphQL.Response<Root> {
    let json: JSONDocument
    do {
      json = try JSONDocument(parsing: bytes)
    } catch {
      throw .invalidJSON(error)
    }
    let envelope = try GraphQL.ResponseEnvelope(json)
    do {
      return GraphQL.Response(
        data: try envelope.data.map { index throws(GraphQL.SchemaViolation) in
          try object(in: json, at: index)
        },
        errors: envelope.errors, extensions: envelope.extensions)
    } catch {
      throw .schemaViolation(error, errors: envelope.errors)
    }
  }

  private func object(
    in json: JSONDocument, at index: Int
  ) throws(GraphQL.SchemaViolation) -> Root {
    let document = GraphQL.ResponseDocument(
      json: json, schema: content.schema, operation: content, root: index)
    let isInOrder = try content.withCheckPlan { plan throws(GraphQL.SchemaViolation) in
      var checker = GraphQL.ResponseChecker(document)
      try checker.check(index, plan)
      return checker.isInOrder
    }
    return Root(
      _handle: GraphQL.ResponseHandle(
        document: isInOrder == true ? document.withUniqueKeys : document, index: index))
  }
}
