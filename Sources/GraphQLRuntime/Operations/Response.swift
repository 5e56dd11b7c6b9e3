import Foundation
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

// The types that adopt the marker are response classes, and structs with a document, whose only stored property is a
// `Fields`.
extension GraphQL.ResponseRoot {
  /// The object of a response that was checked.
  // Safe: a generated struct is its `Fields`, and `requireFields` stops for types that cannot be one.
  init(root handle: GraphQL.ResponseHandle) {
    if let type = Self.self as? GraphQL.AbstractResponse.Type {
      precondition(handle.document.recorded == nil, "\(Self.self) is not the type of a document")
      self = type.init(_handle: handle) as! Self
    } else {
      Self.requireFields()
      let fields = GraphQL.Fields(handle.document, handle.index)
      self = unsafe unsafeBitCast(fields, to: Self.self)
    }
  }

  /// The object's location.
  // Safe: a generated struct is its `Fields`, and `requireFields` stops for types that cannot be one.
  var rootHandle: GraphQL.ResponseHandle {
    if let object = self as? GraphQL.AbstractResponse {
      return GraphQL.ResponseHandle(document: object.document, index: object.index)
    }
    Self.requireFields()
    let fields = unsafe unsafeBitCast(self, to: GraphQL.Fields.self)
    return GraphQL.ResponseHandle(document: fields.document, index: fields.record)
  }

  private static func requireFields() {
    precondition(Self.self is any GraphQL.SelectedDocument.Type, "\(Self.self) has no document")
    precondition(
      MemoryLayout<Self>.size == MemoryLayout<GraphQL.Fields>.size,
      "\(Self.self) has other stored properties; generate the code again")
  }

  /// The object's JSON: the document and the position in it.
  package var _stored: (json: JSONDocument, index: Int) {
    let text = rootHandle.text
    return (text.document.json, text.index)
  }

  /// Which parts of the response have arrived.
  package var _context: GraphQL.ResponseContext {
    let document = rootHandle.document
    return document.recorded?.context ?? document.context
  }

  /// The memory of the values and of their text, in bytes.
  package var _memoryFootprint: Int { rootHandle.document.json.memoryFootprint }

  /// Whether two objects that are read as this type have the same content: their JSON as it arrived, or the same
  /// values in all fields of a typed operation.
  package func _hasSameContent(as other: Self) -> Bool {
    let (left, right) = (rootHandle, other.rootHandle)
    if left.document === right.document, left.index == right.index { return true }
    if left.document.recorded != nil, right.document.recorded != nil {
      return GraphQL.Fields(left.document, left.index)
        .isEqual(to: GraphQL.Fields(right.document, right.index))
    }
    let (mine, theirs) = (_stored, other._stored)
    return mine.json.hasSameContent(at: mine.index, as: theirs.json, at: theirs.index)
  }
}

extension GraphQL.Operation {
  /// The response if it is as servers usually send them; nil if it has to be read in general.
  ///
  /// - Parameter padded: the text, with padding.
  func usualResponse(
    _ padded: [UInt8], _ context: GraphQL.ResponseContext = .complete
  ) -> GraphQL.Response<Root>? {
    guard let schema = content.schema else { return nil }
    let interval = SignpostInterval.begin(.parse)
    defer { interval.end() }
    return content.withPlan { usualResponse(padded, context, $0, schema) } ?? nil
  }

  // Safe: the plan owns the layout, and no other thread uses the plan during the call.
  private func usualResponse(
    _ padded: [UInt8], _ context: GraphQL.ResponseContext, _ plan: GraphQL.ResponsePlan,
    _ schema: GraphQL.SchemaTable
  ) -> GraphQL.Response<Root>? {
    let fields = plan.check.collected
    let parsing = plan.parsing
    let layout =
      plan.records.map { $0.plan(fields, in: schema).layout }
      ?? plan.check.usualLayout(parsing.scalars)
    guard let layout,
      let result = unsafe ResponseParser.parse(
        padded, layout.pointer, to: plan.records == nil ? .tape : .records,
        wordsPerByte: &parsing.wordsPerByte),
      let rest = try? result.rest.map({ try GraphQL.ResponseEnvelope(membersAfterData: $0) })
        ?? GraphQL.ResponseEnvelope.empty
    else { return nil }
    let document = document(
      result.data, padded, isTyped: plan.records != nil, context.with(rest.errors), schema)
    guard accepts(result, parsing.scalars.types, document) else { return nil }
    let handle = GraphQL.ResponseHandle(document: document, index: JSONDocument.rootIndex)
    return GraphQL.Response(
      data: Root(root: handle), errors: rest.errors, extensions: rest.extensions)
  }

  private func document(
    _ data: JSONDocument, _ padded: [UInt8], isTyped: Bool, _ context: GraphQL.ResponseContext,
    _ schema: GraphQL.SchemaTable
  ) -> GraphQL.ResponseDocument {
    if isTyped {
      let text = GraphQL.RecordedText(padded, schema: schema, operation: content, context)
      return GraphQL.ResponseDocument(GraphQL.RecordsSource(data, of: text), schema: schema)
    }
    let source = GraphQL.ParsedSource(
      json: data, root: JSONDocument.rootIndex, operation: content, context: context)
    return GraphQL.ResponseDocument(source, schema: schema).withUniqueKeys
  }

  /// Whether the scalars that were not checked are valid.
  // Safe: the slots are those of values in the document.
  private func accepts(
    _ result: ResponseParser.Result, _ scalars: [any GraphQL.Scalar.Type],
    _ document: GraphQL.ResponseDocument
  ) -> Bool {
    let check = GraphQL.LeafCheck(result.data)
    return result.unchecked.allSatisfy { value in
      let type = scalars[value.scalar]
      return unsafe type._plainText?.accepts(value.slot, in: document.directTape) ?? false
        || check.problem(value.slot, .scalar(type)) == nil
    }
  }
}

extension GraphQL {
  /// The top level of a response, read leniently if that loses nothing.
  struct ResponseEnvelope {
    /// The position of `data`'s object, nil when it is null or absent.
    let data: Int?
    let errors: [ResponseError]
    let extensions: JSON?

    init(_ json: JSONDocument) throws(ResponseFailure) {
      let root = JSONDocument.rootIndex
      guard json.kind(at: root) == .object else {
        throw .malformed("expected an object, found \(json.kind(at: root).noun)")
      }
      let data = json.member("data", of: root)
      let errors = json.member("errors", of: root)
      guard data != nil || errors != nil else {
        throw .malformed("there is neither `data` nor `errors`")
      }
      if let data, json.kind(at: data) != .object, !json.isNull(at: data) {
        throw .malformed("`data` is \(json.kind(at: data).noun)")
      }
      self.data = data.flatMap { json.isNull(at: $0) ? nil : $0 }
      self.errors = try Self.errors(json)
      extensions = Self.extensions(json)
    }

    /// - Parameter json: the object of the members other than `data`.
    init(membersAfterData json: JSONDocument) throws(ResponseFailure) {
      data = nil
      errors = try Self.errors(json)
      extensions = Self.extensions(json)
    }

    private init() {
      data = nil
      errors = []
      extensions = nil
    }

    /// The envelope of a response with nothing but `data`.
    static let empty = ResponseEnvelope()

    private static func errors(_ json: JSONDocument) throws(ResponseFailure) -> [ResponseError] {
      try json.member("errors", of: JSONDocument.rootIndex).map { index throws(ResponseFailure) in
        try errors(JSONNode(document: json, index: index))
      } ?? []
    }

    private static func extensions(_ json: JSONDocument) -> JSON? {
      // Not with `nil` in place of a value, which would be JSON's null.
      json.member("extensions", of: JSONDocument.rootIndex)
        .flatMap { json.isNull(at: $0) ? nil : $0 }
        .map { json.json(at: $0) }
    }

    private static func errors(_ node: JSONNode) throws(ResponseFailure) -> [ResponseError] {
      if node.isNull { return [] }
      guard let elements = node.array else { throw .malformed("`errors` is not a list") }
      return elements.map(error)
    }

    /// Old servers send no message, or other values instead of locations: the readable parts are
    /// kept.
    private static func error(_ node: JSONNode) -> ResponseError {
      ResponseError(
        message: node["message"]?.string ?? node.string ?? "the server gave no message",
        locations: (node["locations"]?.array ?? []).compactMap { location in
          guard let line = location["line"]?.int, let column = location["column"]?.int else {
            return nil
          }
          return ResponseError.Location(line: line, column: column)
        },
        path: (node["path"]?.array ?? []).compactMap { element in
          element.string.map(ResponsePathElement.key) ?? element.int.map(ResponsePathElement.index)
        },
        extensions: node["extensions"].flatMap { $0.isNull ? nil : $0.json })
    }
  }
}

// Sentences in English that a user may see, and the descriptions for developers.

extension GraphQL.InvalidQuery: LocalizedError {
  /// A sentence in English that a user may see.
  public var errorDescription: String? { "The request is not valid." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension GraphQL.SchemaViolation: LocalizedError {
  /// A sentence in English that a user may see.
  public var errorDescription: String? { "The data cannot be read." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension GraphQL.FragmentMismatch: LocalizedError {
  /// A sentence in English that a user may see.
  public var errorDescription: String? { "The data cannot be read." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}

extension GraphQL.ResponseError: LocalizedError {
  /// A sentence in English that a user may see. It contains no text from the server: that is ``message``.
  public var errorDescription: String? { "The service could not carry out the request." }

  /// ``description``, for developers.
  public var failureReason: String? { description }
}
