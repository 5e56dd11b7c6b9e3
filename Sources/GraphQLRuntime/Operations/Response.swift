import GraphJSON

extension GraphQL {
  /// The response to an operation (specification: 7.1 Response Format). It can have both data and
  /// errors.
  public struct Response<Root: ResponseRoot>: Sendable {
    /// nil if the server could not execute the operation at all; `errors` then contains the
    /// reasons.
    public let data: Root?
    /// The errors that the server reports; empty if there are none.
    public let errors: [ResponseError]
    /// Additional information from the server, such as the cost of the operation.
    public let extensions: JSON?
  }

  /// Bytes that are not a response to the operation.
  public enum ResponseFailure: Error, Sendable, CustomStringConvertible {
    /// The bytes are not JSON.
    case invalidJSON(JSONError)
    /// The JSON is not a response, with the reason.
    case malformed(String)
    /// The data does not have the schema's types; the errors in the response are kept.
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
  /// Reads and checks the server's response.
  ///
  /// - Parameter bytes: the response's body, JSON in UTF-8.
  /// - Throws: ``GraphQL/ResponseFailure``. Errors that the server reports are not thrown: they are
  ///   in the result.
  public func response(
    from bytes: consuming [UInt8]
  ) throws(GraphQL.ResponseFailure) -> GraphQL.Response<Root> {
    try response(from: bytes, .complete)
  }

  /// Reads and checks what has arrived of a response.
  package func response(
    from bytes: consuming [UInt8], _ context: GraphQL.ResponseContext
  ) throws(GraphQL.ResponseFailure) -> GraphQL.Response<Root> {
    var padded = bytes
    JSONDocument.pad(&padded)
    if let shared = content.sharedPlan, shared.shouldTryUsualParsing() {
      let response = usualResponse(padded, context)
      shared.noteUsualParsing(succeeded: response != nil)
      if let response { return response }
    }
    return try generalResponse(padded, context)
  }

  /// The result of ``response(from:)``, without an attempt to parse and check in one pass.
  package func responseInTwoPasses(
    from bytes: consuming [UInt8]
  ) throws(GraphQL.ResponseFailure) -> GraphQL.Response<Root> {
    var padded = bytes
    JSONDocument.pad(&padded)
    return try generalResponse(padded)
  }

  /// The response, whatever its form.
  func generalResponse(
    _ padded: consuming [UInt8], _ context: GraphQL.ResponseContext = .complete
  ) throws(GraphQL.ResponseFailure) -> GraphQL.Response<Root> {
    let json = try Self.parse(padded)
    let envelope = try GraphQL.ResponseEnvelope(json)
    do {
      return GraphQL.Response(
        data: try envelope.data.map { index throws(GraphQL.SchemaViolation) in
          try object(in: json, at: index, context.with(envelope.errors))
        },
        errors: envelope.errors, extensions: envelope.extensions)
    } catch {
      throw .schemaViolation(error, errors: envelope.errors)
    }
  }

  private static func parse(
    _ padded: consuming [UInt8]
  ) throws(GraphQL.ResponseFailure) -> JSONDocument {
    let interval = SignpostInterval.begin(.parse)
    defer { interval.end() }
    do {
      return try JSONDocument(padded: padded)
    } catch {
      throw .invalidJSON(error)
    }
  }

  private func object(
    in json: JSONDocument, at index: Int, _ context: GraphQL.ResponseContext
  ) throws(GraphQL.SchemaViolation) -> Root {
    let interval = SignpostInterval.begin(.check, operation: name)
    defer { interval.end() }
    let document = GraphQL.ResponseDocument(
      GraphQL.ParsedSource(json: json, root: index, operation: content, context: context),
      schema: content.schema)
    let handle = try content.withPlan { plan throws(GraphQL.SchemaViolation) in
      var checker = GraphQL.ResponseChecker(document)
      try checker.check(index, plan.check)
      let text = GraphQL.ResponseHandle(
        document: checker.isInOrder ? document.withUniqueKeys : document, index: index)
      return plan.records.map { place in
        GraphQL.ResponseHandle(recordsOf: text, place, plan.check.collected, context)
      } ?? text
    }
    return Root(root: handle ?? GraphQL.ResponseHandle(document: document, index: index))
  }
}
