import GraphCompatibility
import GraphQLRuntime
import GraphTesting

/// The requirements for every model manager that keeps objects, as checks to run. They include those
/// of ``/GraphTesting/ResponseStoreConformance``.
///
/// ```swift
/// let suite = ModelManagerConformance(sample) {
///   Graph.Store(inMemory: Storefront.schema)
/// } logout: {
///   try await $0.logout()
/// }
/// for outcome in await suite.run() where outcome.failure != nil { print(outcome) }
/// ```
///
/// The checks use only the protocol, with queries and objects of a schema that the manager
/// supports.
public struct ModelManagerConformance<
  Manager: GraphQL.ModelManager, Root: GraphQL.AbstractResponse, Object: GraphQL.AbstractResponse
>: Sendable {
  /// The result of one check.
  public typealias Outcome = TransportConformance.Outcome

  let sample: ModelManagerSample<Root, Object>
  private let responses: ResponseStoreConformance<Manager, Root>
  private let patience: Duration

  /// - Parameters:
  ///   - sample: queries and objects to check with.
  ///   - patience: the maximum duration of a check.
  ///   - makeManager: creates an empty manager; called for each check.
  ///   - logout: logs out the manager's user.
  public init(
    _ sample: ModelManagerSample<Root, Object>, patience: Duration = .seconds(20),
    manager makeManager: @escaping @Sendable () async throws -> Manager,
    logout: @escaping @Sendable (Manager) async throws -> Void
  ) {
    self.sample = sample
    responses = ResponseStoreConformance(
      sample.responses, patience: patience, store: makeManager, logout: logout)
    self.patience = patience
  }

  /// Runs all checks, one after the other.
  public func run() async -> [Outcome] {
    var outcomes = await responses.run()
    for check in ModelManagerCheck<Manager, Root, Object>.all {
      outcomes.append(
        await Outcome.of(check.name, patience: patience) { [self] in
          try await check.body(self, try await responses.makeStore())
        })
    }
    return outcomes
  }
}

/// Queries and objects of one type, which has a key and two text fields, the second of which is
/// nullable.
public struct ModelManagerSample<
  Root: GraphQL.AbstractResponse, Object: GraphQL.AbstractResponse
>: Sendable {
  /// The fields that a query selects on the object in addition to its key.
  public typealias Selection = ResponseStoreSample<Root>.Selection

  let responses: ResponseStoreSample<Root>
  let values: @Sendable (Object) -> (first: String?, second: String?)

  /// - Parameters:
  ///   - operation: a query for the object with a key, which selects the key and the given fields.
  ///   - names: the fields' names.
  ///   - path: the response path of the object, such as `shop.product`.
  ///   - data: the JSON of the response's `data` with the JSON of the object.
  ///   - values: the values of the object's two fields; nil if it does not have the field.
  public init(
    operation: @escaping @Sendable (String, Selection) throws -> GraphQL.Operation<Root>,
    names: (key: String, first: String, second: String), path: String,
    data: @escaping @Sendable (String) -> String,
    values: @escaping @Sendable (Object) -> (first: String?, second: String?)
  ) {
    responses = ResponseStoreSample(operation: operation, names: names, path: path, data: data)
    self.values = values
  }
}
