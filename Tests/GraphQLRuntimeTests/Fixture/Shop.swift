// A small namespace, written by hand in the form of generated code: the runtime's tests do not
// depend on the generator.
import GraphJSON
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
      %cached(ttl:Int!)
      %inContext(country:Color)
      @Feed
      changed(id:ID!) Product!
      removed(id:ID!) Product!
      @Image
      height Int
      url(width:Int) URL!
      @Mutation
      attach(file:Upload! files:[Upload!] meta:JSON) Boolean!
      rename(id:ID! input:RenameInput!) Product
      &Named Node
      id ID!
      owner Node
      title String
      &Node
      id ID!
      @Product Named Node key:id
      available Boolean!
      big BigInt
      code Color!
      codes [Color!]!
      createdAt DateTime!
      day Date
      id ID!
      image(size:Int crop:Color=) Image
      images(first:Int after:String ids:[ID!]) [Image!]!
      legacy__id String
      matrix [[Int]!]
      meta JSON
      owner Article
      points [Point!]
      price Decimal!
      rating Float
      related [Node]
      tags [String!]!
      thumbnails [Image]
      title String
      @QueryRoot
      flags(a:Int a1:Int) Boolean
      node(id:ID!) Node
      nodes(ids:[ID]!) [Node!]!
      product(by:ProductBy handle:String) Product
      products(first:Int=) [Product!]!
      search(query:String!) [Result!]!
      <!ProductBy
      id ID
      handle String
      <RenameInput
      title String!
      note String
      count Int!=
      tags [String]
      lines [RenameInput!]
      |Result Article Product
      $BigInt
      $Date
      $DateTime
      $Decimal
      $JSON
      $Point
      $URL
      $Upload
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
      .init("BigInt", GraphQL.BigInt.self), .init("Date", GraphQL.LocalDate.self),
      .init("DateTime", GraphQL.DateTime.self), .init("Decimal", GraphQL.Decimal.self),
      .init("Point", Point.self), .init("URL", GraphQL.URL.self),
    ])

  public class _Query: GraphQL.AbstractQuery {
    override public class var schema: GraphQL.SchemaTable { Shop.schema }
    @discardableResult public func directive(_ directive: GraphQL.Directive<Shop>) -> Self {
      _directive(directive)
      return self
    }
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
    query._end()
    return query
  }

  public static func buildMutation(
    named name: String? = nil, _ subfields: (MutationQuery) -> Void
  ) -> MutationQuery {
    let query = MutationQuery()
    query._begin(name, [GraphQL.Directive<Shop>]())
    subfields(query)
    query._end()
    return query
  }

  public static func buildSubscription(_ subfields: (FeedQuery) -> Void) -> FeedQuery {
    let query = FeedQuery()
    query._begin(nil, [GraphQL.Directive<Shop>]())
    subfields(query)
    query._end()
    return query
  }

  public enum Color: GraphQL.Enum {
    case deepRed
    case green
    case unknownValue_
    case unknownValue(String)
    public static var _names: StaticString { "DEEP_RED GREEN UNKNOWN_VALUE" }
    public static var _cases: [Color] { [.deepRed, .green, .unknownValue_] }
    public func _position(_ text: inout String) -> Int {
      switch self {
      case .deepRed: return 0
      case .green: return 1
      case .unknownValue_: return 2
      case .unknownValue(let unknown):
        text = unknown
        return -1
      }
    }
  }

  public struct RenameInput: GraphQL.InputObject {
    public var _fields: GraphQL.InputFields
    public init(
      title: String, note: String? = nil, count: Int? = nil,
      tags: [String?]? = nil, lines: [RenameInput]? = nil
    ) {
      _fields = .init()
      _fields.set("title", title)
      _fields.set("note", note)
      _fields.set("count", count)
      _fields.set("tags", tags)
      _fields.set("lines", lines)
    }
    public var title: String {
      get { _fields.required("title") }
      set { _fields.set("title", newValue) }
    }
    public var note: String? {
      get { _fields.optional("note") }
      set { _fields.set("note", newValue) }
    }
    public var count: Int? {
      get { _fields.optional("count") }
      set { _fields.set("count", newValue) }
    }
    public var tags: [String?]? {
      get { _fields.optional("tags") }
      set { _fields.set("tags", newValue) }
    }
    public var lines: [RenameInput]? {
      get { _fields.optional("lines") }
      set { _fields.set("lines", newValue) }
    }
  }

  /// A custom scalar whose JSON form is a list.
  public struct Point: GraphQL.Scalar {
    public var x: Int32
    public var y: Int32
    public init(x: Int32, y: Int32) {
      self.x = x
      self.y = y
    }
    public init(scalar: GraphQL.JSON) throws {
      guard case .array(let elements) = scalar, elements.count == 2,
        case .number(let x) = elements[0], case .number(let y) = elements[1],
        let x = x.int32, let y = y.int32
      else { throw GraphQL.ScalarMismatch(expected: "a point as [x, y]") }
      self.init(x: x, y: y)
    }
    public var scalar: GraphQL.JSON { .array([GraphQL.JSON(x), GraphQL.JSON(y)]) }
    public static var placeholder: Point { Point(x: -73_009, y: 110_466) }
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

  public static func cached(ttl: Int) -> Self {
    var directive = Self("cached")
    directive._arg("ttl", ttl)
    return directive
  }
}
