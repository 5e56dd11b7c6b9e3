import GraphJSON
import GraphQLRuntime

/// What went with a user who has logged out.
public struct LogoutReport: Sendable, Hashable {
  /// The keys of the objects that were deleted.
  public let deleted: [GraphQL.EntityKey]
  /// Work that was never sent, and that is not sent any more.
  public let unsent: [UnsentWork]
}

/// A queued operation that was dropped.
public struct UnsentWork: Sendable, Hashable {
  /// The operation's ID in its queue.
  public let id: String
  /// The object that it was to change.
  public let entity: GraphQL.EntityKey
  /// The operation's name in its document; empty when it has none.
  public let name: String
  /// Where it was on its way, in the words of its queue.
  public let state: String
  /// The operation as it was to be sent; empty for a queue of an earlier version.
  public let document: String
  /// Its variables, by their names in the document; null where they are not known, and a string with what is
  /// left of them where the queue's row was damaged.
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

extension UnsentWork: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What it was, without what it would have sent: that may hold secrets.
  public var description: String { "\(name) \(id) on \(entity.typeName): \(state)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["work": description]) }
}
