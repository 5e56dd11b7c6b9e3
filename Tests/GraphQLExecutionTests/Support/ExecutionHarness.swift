import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Executes documents on a schema given as text.
struct ExecutionHarness {
  let schema: ServiceSchema
  var resolvers = ResolverTable()
  var limits = ExecutionLimits()

  init(_ sdl: String) throws { schema = try ServiceSchema(sdl: sdl) }

  var executor: DocumentExecutor {
    DocumentExecutor(schema: schema, resolver: resolvers, limits: limits)
  }

  func run(
    _ document: String, operationName: String? = nil, variables: JSON.Object = [:],
    root: JSON = [:], validate: Bool = true
  ) async throws -> ExecutionResult {
    let document = try Document(parsing: Source(name: "document", text: document))
    if validate {
      let violations = document.validate(against: schema)
      if !violations.isEmpty { throw Diagnostics(violations) }
    }
    return await executor.execute(
      document, operationName: operationName, variables: variables, rootValue: root)
  }
}

extension ExecutionResult {
  /// Path and message of each error.
  var failures: [String] { errors.map { "\($0.path?.description ?? "-"): \($0.message)" } }
}
