import GraphQLRuntime
import GraphStorage

extension Graph {
  /// The names of the arguments that select a page of a connection:
  /// ``GraphQLRuntime/Graph/Store/Configuration/pagingArguments``. They are not part of a storage key.
  public struct PagingArguments: Sendable, Hashable {
    /// The number of nodes, from the beginning or after a cursor.
    public var first: String
    /// The cursor after which the page begins.
    public var after: String
    /// The number of nodes, from the end or before a cursor.
    public var last: String
    /// The cursor before which the page ends.
    public var before: String

    /// Uses the given names; the defaults are those of the connection specification.
    public init(
      first: String = "first", after: String = "after", last: String = "last",
      before: String = "before"
    ) {
      self.first = first
      self.after = after
      self.last = last
      self.before = before
    }

    var names: GraphQL.PagingNames {
      GraphQL.PagingNames(first: first, after: after, last: last, before: before)
    }
  }
}
