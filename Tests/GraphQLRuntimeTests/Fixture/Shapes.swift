import GraphQLRuntime

/// Two object types with a field of the same name and different types.
enum Shapes: GraphQL.Namespace {
  static let schema = GraphQL.SchemaTable(
    name: "Shapes",
    table: """
      >Root - -
      |Either Left Right
      @Left
      size Int
      @Right
      size String
      @Root
      either Either
      """,
    queries: [EitherQuery.self, LeftQuery.self, RightQuery.self, RootQuery.self],
    responses: [UnknownEither.self, Left.self, Right.self, Root.self], scalars: [])

  class _Query: GraphQL.AbstractQuery {
    override class var schema: GraphQL.SchemaTable { Shapes.schema }
  }
  class _Response: GraphQL.AbstractResponse, @unchecked Sendable {
    override class var schema: GraphQL.SchemaTable { Shapes.schema }
  }
  final class EitherQuery: _Query {}
  final class LeftQuery: _Query {}
  final class RightQuery: _Query {}
  final class RootQuery: _Query, GraphQL.QueryBuilder { typealias Response = Root }
  final class UnknownEither: _Response, @unchecked Sendable {}
  final class Left: _Response, @unchecked Sendable {}
  final class Right: _Response, @unchecked Sendable {}
  final class Root: _Response, @unchecked Sendable {}
}

extension Shapes {
  static func conflicting() -> RootQuery {
    let either = EitherQuery()
    either._on("Left") { (left: LeftQuery) in left._field("size", nil) }
    either._on("Right") { (right: RightQuery) in right._field("size", nil) }
    let root = RootQuery()
    root.addField(field: "either", subfields: either)
    return root
  }
}
