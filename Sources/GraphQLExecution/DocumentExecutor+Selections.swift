import GraphJSON
import GraphQLSchema

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
