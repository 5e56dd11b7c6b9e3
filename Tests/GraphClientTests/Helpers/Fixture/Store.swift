// A small namespace, written by hand in the form of generated code: the client's tests do not
// depend on the generator.
import GraphQLRuntime

enum Store: GraphQL.Namespace {
  static let schema = GraphQL.SchemaTable(
    name: "Store",
    table: """
      >QueryRoot Mutation Subscription
      @Customer Node key:id policy:sensitive
      email String!
      id ID!
      @Mutation
      attach(file:Upload! note:String) Shop
      rename(name:String!) Shop
      &Node
      id ID!
      @QueryRoot
      customer Customer
      node(id:ID!) Node
      shop Shop!
      @Shop Node key:id
      color Color
      employees Int
      id ID!
      legacy__id String
      name String!
      opened DateTime
      site URL
      tags(in:String first:Int) [String!]!
      @Subscription
      tick(from:Int) Int!
      =Color
      $DateTime
      $URL
      $Upload
      """,
    queries: [
      CustomerQuery.self, MutationQuery.self, NodeQuery.self, QueryRootQuery.self, ShopQuery.self,
      SubscriptionQuery.self,
    ],
    responses: [
      Customer.self, Mutation.self, UnknownNode.self, QueryRoot.self, Shop.self, Subscription.self,
    ],
    scalars: [.init("DateTime", GraphQL.DateTime.self), .init("URL", GraphQL.URL.self)])

  class _Query: GraphQL.AbstractQuery {
    override class var schema: GraphQL.SchemaTable { Store.schema }
  }

  class _Response: GraphQL.AbstractResponse, @unchecked Sendable {
    override class var schema: GraphQL.SchemaTable { Store.schema }
  }

  enum Color: GraphQL.Enum {
    case red
    case unknownValue(String)
    static var _names: StaticString { "RED" }
    static var _cases: [Color] { [.red] }
    func _position(_ text: inout String) -> Int {
      switch self {
      case .red: return 0
      case .unknownValue(let unknown):
        text = unknown
        return -1
      }
    }
  }

  static func buildQuery(
    named name: String? = nil, _ subfields: (QueryRootQuery) -> Void
  ) -> QueryRootQuery {
    let query = QueryRootQuery()
    query._begin(name, [GraphQL.Directive<Store>]())
    subfields(query)
    query._end()
    return query
  }

  static func buildMutation(_ subfields: (MutationQuery) -> Void) -> MutationQuery {
    let query = MutationQuery()
    query._begin(nil, [GraphQL.Directive<Store>]())
    subfields(query)
    query._end()
    return query
  }

  static func buildSubscription(_ subfields: (SubscriptionQuery) -> Void) -> SubscriptionQuery {
    let query = SubscriptionQuery()
    query._begin(nil, [GraphQL.Directive<Store>]())
    subfields(query)
    query._end()
    return query
  }
}

extension Store.QueryRootQuery: GraphQL.QueryBuilder {
  typealias Response = Store.QueryRoot
}

extension Store.MutationQuery: GraphQL.MutationBuilder {
  typealias Response = Store.Mutation
}

extension Store.SubscriptionQuery: GraphQL.SubscriptionBuilder {
  typealias Response = Store.Subscription
}
