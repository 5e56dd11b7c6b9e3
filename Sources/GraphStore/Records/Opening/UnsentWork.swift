import GraphJSON
import GraphQLRuntime

extension Graph {
  /// A queued operation that was dropped.
  public struct UnsentWork: Sendable, Hashable {
    /// The operation's ID in its queue.
    public let id: String
    /// The object that it was to change.
    public let entity: GraphQL.EntityKey
    /// The operation's name in its document; empty if it has none.
    public let name: String
    /// Its state, in the queue's terms.
    public let state: String
    /// The operation as it was to be sent; empty for a queue of an earlier version.
    public let document: String
    /// Its variables, by their names in the document; null if they are not known, and a string with
    /// the readable remains if the queue's row was damaged.
    public let variables: GraphQL.JSON

    init(
      id: String, entity: GraphQL.EntityKey, name: String, state: String, document: String = "",
      variables: GraphQL.JSON = .null
    ) {
      self.id = id
      self.entity = entity
      self.name = name
      self.state = state
      self.document = document
      self.variables = variables
    }
  }
}

extension Graph.UnsentWork: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// A description without the contents that would have been sent, which may include secrets.
  public var description: String { "\(name) \(id) on \(entity.typeName): \(state)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["work": description]) }
}
