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
