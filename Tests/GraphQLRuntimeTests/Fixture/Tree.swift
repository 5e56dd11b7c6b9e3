import GraphQLRuntime

/// A type that refers to itself, for selections of any depth.
enum Tree: GraphQL.Namespace {
  static let schema = GraphQL.SchemaTable(
    name: "Tree",
    table: """
      >Node - -
      @Node
      left Node
      right Node
      value Int
      """,
    queries: [NodeQuery.self], responses: [Node.self], scalars: [])

  final class NodeQuery: GraphQL.AbstractQuery, GraphQL.QueryBuilder {
    typealias Response = Node
    override class var schema: GraphQL.SchemaTable { Tree.schema }
  }

  final class Node: GraphQL.AbstractResponse, @unchecked Sendable {
    override class var schema: GraphQL.SchemaTable { Tree.schema }
    var left: Node? { _oneOpt("left") }
    var right: Node? { _oneOpt("right") }
    var value: Int? { _intOpt("value") }
  }

  /// A query with that many levels; the last one selects `value`.
  static func chain(_ levels: Int) -> NodeQuery {
    let root = NodeQuery()
    nest(in: root, levels)
    return root
  }

  private static func nest(in query: NodeQuery, _ levels: Int) {
    if levels == 1 {
      query._field("value", nil)
    } else {
      query._field("left", nil)
      query._child { (child: NodeQuery) in nest(in: child, levels - 1) }
    }
  }

  /// Selects that many levels, the first of them on `root`, and `value` on the last, which is
  /// returned. Their closures store the builders.
  @discardableResult
  static func extend(_ root: NodeQuery, by levels: Int) -> NodeQuery {
    var query = root
    for _ in 1..<levels {
      query._field("left", nil)
      query = query.child()
    }
    query._field("value", nil)
    return query
  }
}
