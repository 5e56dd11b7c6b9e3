import GraphJSON
import GraphQLSchema

/// Executes documents against a schema (chapter 6).
///
/// ```swift
/// let executor = DocumentExecutor(schema: schema, resolver: MemberResolver())
/// let result = await executor.execute(document, rootValue: ["shop": ["name": "Acme"]])
/// ```
///
/// Documents must be valid (``/GraphQLSchema/Document/validate(against:)``). The result for an invalid
/// document is unspecified.
public struct DocumentExecutor: Sendable {
  /// The schema against which documents are executed.
  public let schema: ServiceSchema
  /// The source of the values of fields.
  public let resolver: any Resolver
  /// The size limits of a response.
  public let limits: ExecutionLimits

  /// An executor for any number of documents; it keeps no state between them.
  public init(
    schema: ServiceSchema, resolver: any Resolver, limits: ExecutionLimits = ExecutionLimits()
  ) {
    self.schema = schema
    self.resolver = resolver
    self.limits = limits
  }

  /// Executes a query or mutation (section 6.1, ExecuteRequest). Fields are resolved one after the
  /// other in the order of the selections.
  ///
  /// - Parameters:
  ///   - operationName: which of the document's operations; nil if there is only one.
  ///   - variables: the values for the operation's variables as they arrived with the request.
  ///   - rootValue: the source for the root type's fields.
  public func execute(
    _ document: Document, operationName: String? = nil, variables: JSON.Object = [:],
    rootValue: JSON = [:]
  ) async -> ExecutionResult {
    do throws(RequestFailure) {
      let prepared = try prepare(document, operationName, variables)
      if prepared.operation.operationType == .subscription {
        throw RequestFailure(
          ExecutionError(
            "\(prepared.operation.title) is a subscription and has a stream of results."))
      }
      return await execute(prepared, source: .json(rootValue))
    } catch {
      return ExecutionResult(requestErrors: error.errors)
    }
  }

  /// The operation that a request selects (section 6.1, GetOperation).
  public static func operation(
    in document: Document, named name: String?
  ) throws(ExecutionError) -> OperationDefinition {
    let operations = document.operations
    if let name {
      guard let operation = operations.first(where: { $0.name == name }) else {
        throw ExecutionError("The document has no operation \(quoted(name)).")
      }
      return operation
    }
    guard let operation = operations.first else {
      throw ExecutionError("The document has no operation.")
    }
    if operations.count > 1 {
      throw ExecutionError(
        "The document has several operations, and the request does not name one.")
    }
    return operation
  }
}

/// An operation that can be executed: its root type is known, its variables are coerced.
struct PreparedOperation {
  let operation: OperationDefinition
  let rootType: ObjectType
  let collector: FieldCollector
}

struct RequestFailure: Error {
  let errors: [ExecutionError]

  init(_ error: ExecutionError) { errors = [error] }
  init(_ errors: [ExecutionError]) { self.errors = errors }
}

extension DocumentExecutor {
  func prepare(
    _ document: Document, _ operationName: String?, _ variables: JSON.Object
  ) throws(RequestFailure) -> PreparedOperation {
    let operation: OperationDefinition
    do throws(ExecutionError) {
      operation = try DocumentExecutor.operation(in: document, named: operationName)
    } catch {
      throw RequestFailure(error)
    }
    let sources = document.source.map { [$0] } ?? []
    guard let rootType = schema.rootType(for: operation.operationType) else {
      throw RequestFailure(
        ExecutionError(
          "The schema has no \(operation.operationType.rawValue) type.",
          locations: sources.locations(of: [operation.range])))
    }
    let values: JSON.Object
    do throws(VariableErrors) {
      values = try VariableCoercion.coerce(variables, for: operation, schema, sources)
    } catch {
      throw RequestFailure(error.errors)
    }
    let fragments = Dictionary(
      document.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return PreparedOperation(
      operation: operation, rootType: rootType,
      collector: FieldCollector(
        schema: schema, fragments: fragments, sources: sources, variables: values))
  }

  func execute(_ prepared: PreparedOperation, source: Resolved) async -> ExecutionResult {
    var execution = Execution(collector: prepared.collector, limits: limits)
    return await execution.run(
      prepared.operation.selectionSet, on: prepared.rootType, source: source, with: resolver)
  }
}

extension OperationDefinition {
  /// The operation as messages show it.
  var title: String { name.map(quoted) ?? "The operation" }
}

extension DocumentExecutor {
  /// Executes the selections of a fragment on one object, without a request. No value is waited for.
  ///
  /// - Parameters:
  ///   - name: the fragment's name; it is in the document.
  ///   - type: the object's type, to which the fragment applies.
  ///   - variables: the values of the variables that the fragment uses, as an operation would have coerced them.
  package static func execute(
    fragment name: String, of document: Document, in schema: ServiceSchema, on type: ObjectType,
    source: Resolved, variables: JSON.Object,
    with resolve: (FieldContext) throws(ExecutionError) -> Resolved
  ) -> ExecutionResult {
    let fragments = Dictionary(
      document.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    guard let fragment = fragments[name] else {
      return ExecutionResult(
        requestErrors: [ExecutionError("The document has no fragment \(quoted(name)).")])
    }
    var execution = Execution(
      collector: FieldCollector(
        schema: schema, fragments: fragments, sources: document.source.map { [$0] } ?? [],
        variables: variables), limits: ExecutionLimits())
    return execution.run(fragment.selectionSet, on: type, source: source, with: resolve)
  }

  /// Executes a document with one operation on its root object, without a request. No value is waited for.
  package static func execute(
    operationOf document: Document, in schema: ServiceSchema, source: Resolved,
    variables: JSON.Object, with resolve: (FieldContext) throws(ExecutionError) -> Resolved
  ) -> ExecutionResult {
    do throws(RequestFailure) {
      let executor = DocumentExecutor(schema: schema, resolver: MemberResolver())
      let prepared = try executor.prepare(document, nil, variables)
      var execution = Execution(collector: prepared.collector, limits: executor.limits)
      return execution.run(
        prepared.operation.selectionSet, on: prepared.rootType, source: source, with: resolve)
    } catch {
      return ExecutionResult(requestErrors: error.errors)
    }
  }
}

extension DocumentExecutor {
  /// Starts a subscription (section 6.2.3, Subscribe): creates its source stream and executes the
  /// operation for each of its events.
  ///
  /// - Throws: ``SubscriptionFailure`` with the result to send, if there is no stream.
  public func subscribe(
    _ document: Document, operationName: String? = nil, variables: JSON.Object = [:],
    rootValue: JSON = [:]
  ) async throws(SubscriptionFailure) -> ResponseStream {
    let prepared: PreparedOperation
    do throws(RequestFailure) {
      prepared = try prepare(document, operationName, variables)
      if prepared.operation.operationType != .subscription {
        throw RequestFailure(ExecutionError("\(prepared.operation.title) is not a subscription."))
      }
    } catch {
      throw SubscriptionFailure(result: ExecutionResult(requestErrors: error.errors))
    }
    do {
      let events = try await sourceEvents(of: prepared, source: .json(rootValue))
      return ResponseStream(executor: self, operation: prepared, events: events)
    } catch {
      let error = ExecutionError(resolving: error)
      throw SubscriptionFailure(result: ExecutionResult(requestErrors: [error]))
    }
  }

  /// Section 6.2.3.1, CreateSourceEventStream.
  private func sourceEvents(
    of prepared: PreparedOperation, source: Resolved
  ) async throws -> any ResolvedEvents {
    let collector = prepared.collector
    let plan = try collector.collect([prepared.operation.selectionSet], on: prepared.rootType)
    guard let node = plan.fields.first else {
      throw ExecutionError("The subscription selects no field.")
    }
    let path = ResponsePath([.name(node.responseName)])
    let locations = collector.sources.locations(of: node.fields.map(\.range))
    do {
      switch node.kind {
      case .resolved(let plan):
        return try await resolver.subscribe(
          FieldContext(source: source, path: path, plan: plan))
      case .invalid(let error): throw error
      case .typename, .introspection:
        throw ExecutionError("\(node.coordinate) is not a source of events.")
      }
    } catch {
      var error = ExecutionError(resolving: error)
      if error.path == nil { error.path = path }
      if error.locations.isEmpty { error.locations = locations }
      throw error
    }
  }
}

/// A subscription that did not start, and the response for that case.
public struct SubscriptionFailure: Error, Sendable {
  /// The response to send, with a request error.
  public let result: ExecutionResult
}

/// The response stream of a subscription (section 6.2.3.2, MapSourceToResponseEvent): the result of
/// each event. It ends with the source stream and rethrows its errors.
public struct ResponseStream: AsyncSequence, Sendable {
  let executor: DocumentExecutor
  let operation: PreparedOperation
  let events: any ResolvedEvents

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: self, events: events.makeAsyncIterator())
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: ResponseStream
    /// An existential with its element would need macOS 15 or iOS 18.
    var events: any AsyncIteratorProtocol

    public mutating func next() async throws -> ExecutionResult? {
      guard let event = try await events.next() as? Resolved else { return nil }
      return await stream.executor.execute(stream.operation, source: event)
    }
  }
}

/// Limits that prevent a small document from causing an endless response.
public struct ExecutionLimits: Sendable {
  /// The maximum nesting of objects and lists in a response. A deeper one is an execution error.
  public var maximumDepth: Int
  /// The maximum number of values in a response, including those inside objects and lists. With one
  /// more, the execution ends without data.
  public var maximumPositions: Int

  /// Limits far above any useful response.
  public init(maximumDepth: Int = 256, maximumPositions: Int = 2_000_000) {
    self.maximumDepth = min(maximumDepth, JSONDocument.defaultMaximumDepth)
    self.maximumPositions = maximumPositions
  }
}
