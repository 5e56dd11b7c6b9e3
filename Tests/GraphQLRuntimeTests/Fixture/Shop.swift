// A small namespace written by hand in the shape of generated code: the runtime's tests do not
// depend on the generator.
import GraphQLRuntime

public enum Shop: GraphQL.Namespace {
  public static let schema = GraphQL.SchemaTable(
    name: "Shop",
    table: """
      >QueryRoot Mutation Feed
      @Article Node key:id
      body String
      id ID!
      title String
      =Color
      %inContext(country:Color)
      @Feed
      changed(id:ID!) Product!
      @Image
      height Int
      url(width:Int) URL!
      @Mutation
      rename(id:ID! input:RenameInput!) Product
      &Named Node
      id ID!
      title String
      &Node
      id ID!
      @Product Named Node key:id
      available Boolean!
      code Color!
      codes [Color!]!
      createdAt DateTime!
      id ID!
      image(size:Int crop:Color=) Image
      images(first:Int after:String ids:[ID!]) [Image!]!
      legacy__id String
      matrix [[Int]!]
      price Decimal!
      rating Float
      related [Node]
      tags [String!]!
      title String
      @QueryRoot
      node(id:ID!) Node
      product(by:ProductBy handle:String) Product
      products(first:Int=) [Product!]!
      search(query:String!) [Result!]!
      <!ProductBy
      id ID
      handle String
      <RenameInput
      title String!
      note String
      |Result Article Product
      $DateTime
      $Decimal
      $URL
      """,
    queries: [
      ArticleQuery.self, FeedQuery.self, ImageQuery.self, MutationQuery.self, NamedQuery.self,
      NodeQuery.self, ProductQuery.self, QueryRootQuery.self, ResultQuery.self,
    ],
    responses: [
      Article.self, Feed.self, Image.self, Mutation.self, UnknownNamed.self, UnknownNode.self,
      Product.self, QueryRoot.self, UnknownResult.self,
    ],
    scalars: [
      .init("DateTime", GraphQL.DateTime.self), .init("Decimal", GraphQL.Decimal.self),
      .init("URL", GraphQL.URL.self),
    ])

  public class _Query: GraphQL.AbstractQuery {
    override public class var schema: GraphQL.SchemaTable { Shop.schema }
  }

  public class _Response: GraphQL.AbstractResponse, @unchecked Sendable {
    override public class var schema: GraphQL.SchemaTable { Shop.schema }
  }

  public static func buildQuery(
    named name: String? = nil, directives: [GraphQL.Directive<Shop>] = [],
    _ subfields: (QueryRootQuery) -> Void
  ) -> QueryRootQuery {
    let query = QueryRootQuery()
    query._begin(name, directives)
    subfields(query)
    return query
  }

  public static func buildMutation(
    named name: String? = nil, _ subfields: (MutationQuery) -> Void
  ) -> MutationQuery {
    let query = MutationQuery()
    query._begin(name, [GraphQL.Directive<Shop>]())
    subfields(query)
    return query
  }

  public static func buildSubscription(_ subfields: (FeedQuery) -> Void) -> FeedQuery {
    let query = FeedQuery()
    query._begin(nil, [GraphQL.Directive<Shop>]())
    subfields(query)
    return query
  }

  public enum Color: GraphQL.Enum {
    case deepRed
    case green
    case unknownValue_
    case unknownValue
    public static var _names: StaticString { "DEEP_RED GREEN UNKNOWN_VALUE" }
  }

  public struct RenameInput: GraphQL.InputObject {
    public var _fields: GraphQL.InputFields
    public init(title: String, note: GraphQL.Input<String> = nil) {
      _fields = .init()
      _fields.set("title", title)
      _fields.set("note", note)
    }
    public var title: String {
      get { _fields.required("title") }
      set { _fields.set("title", newValue) }
    }
    public var note: GraphQL.Input<String> {
      get { _fields.input("note") }
      set { _fields.set("note", newValue) }
    }
  }

  public enum ProductBy: GraphQL.OneOfInput {
    case id(GraphQL.ID)
    case handle(String)
    public var _field: (name: StaticString, value: any GraphQL.InputValue) {
      switch self {
      case .id(let value): ("id", value)
      case .handle(let value): ("handle", value)
      }
    }
  }
}

extension Shop.QueryRootQuery: GraphQL.QueryBuilder {
  public typealias Response = Shop.QueryRoot
}

extension Shop.MutationQuery: GraphQL.MutationBuilder {
  public typealias Response = Shop.Mutation
}

extension Shop.FeedQuery: GraphQL.SubscriptionBuilder {
  public typealias Response = Shop.Feed
}

extension GraphQL.Directive where Schema == Shop {
  public static func inContext(country: Shop.Color? = nil) -> Self {
    var directive = Self("inContext")
    directive._arg("country", country)
    return directive
  }
}
