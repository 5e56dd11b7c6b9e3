import GraphJSON
import GraphQLRuntime

extension Graph {
  /// An operation that may have been carried out and cannot be repeated safely.
  public struct UncertainOperation: Sendable {
    /// Its ID.
    public let id: String
    /// The object that it writes.
    public let entity: GraphQL.EntityKey
    /// Its name in its document; empty if it has none.
    public let name: String
    /// Its variables, by their names in the document.
    public let variables: GraphQL.JSON

    init(_ operation: QueuedOperation) {
      id = operation.id
      entity = operation.entity
      name = operation.name
      // The queue has written the text itself.
      variables = (try? JSON(parsing: operation.variables)) ?? .null
    }
  }
}
