import GraphQLRuntime

// A typed operation, written by hand in the form of generated code.

nonisolated public struct ScreenQuery: GraphQL.TypedQuery {
  public typealias Response = Data
  public let _variables: GraphQL.Variables

  public init(
    first: Int? = nil, long: Bool, text: String, by: Shop.ProductBy? = nil
  ) {
    var variables = GraphQL.Variables(Data.self)
    variables._add("first", first)
    variables._add("long", long)
    variables._add("text", text)
    variables._add("by", by)
    _variables = variables
  }

  nonisolated public struct Data: GraphQL.SelectedRoot, Hashable {
    public static func _document() -> GraphQL.DocumentText {
      GraphQL.DocumentText(
        schema: Shop.schema,
        text:
          "query Screen($first:Int=3$long:Boolean!$text:String!$by:ProductBy){products(first:$first){id title ...ProductCard images(first:2){url height}tags rating code codes matrix}search(query:$text){__typename ...on Product{title owner{id}}...on Article{title body}}node(id:\"n1\"){__typename id ...on Named{title owner{__typename id}}}nodes(ids:[\"a\",null]){__typename id}named:product(by:$by){id legacy:legacy__id image(size:1)@include(if:$long){height}related{__typename id}}}fragment ProductCard on Product{title price images(first:2){height}owner@skip(if:$long){title}}",
        hash: "", shape: 0x5CD5_2E30)
    }
    let _fields: GraphQL.Fields
    public var products: [Product] { _fields.list(0) }
    public var search: [Search] { _fields.list(1) }
    public var node: Node? { _fields.oneOpt(2) }
    public var nodes: [Nodes] { _fields.list(3) }
    public var named: Named? { _fields.oneOpt(4) }

    nonisolated public struct Product: GraphQL.SelectedObject, Hashable {
      let _fields: GraphQL.Fields
      public var id: GraphQL.ID { _fields.id(0) }
      public var title: String? { _fields.stringOpt(1) }
      public var productCard: ProductCard { _fields.one(2) }
      public var images: [Image] { _fields.list(3) }
      public var tags: [String] { _fields.value(4) }
      public var rating: Double? { _fields.doubleOpt(5) }
      public var code: Shop.Color { _fields.value(6) }
      public var codes: [Shop.Color] { _fields.value(7) }
      public var matrix: [[Int?]]? { _fields.valueOpt(8) }

      nonisolated public struct Image: GraphQL.SelectedObject, Hashable {
        let _fields: GraphQL.Fields
        public var url: GraphQL.URL { _fields.value(0) }
        public var height: Int? { _fields.intOpt(1) }
      }
    }

    nonisolated public struct Search: GraphQL.SelectedObject, Hashable {
      let _fields: GraphQL.Fields
      public var __typename: String { _fields.string(0) }
      public var asProduct: AsProduct? { _fields.oneOpt(1) }
      public var asArticle: AsArticle? { _fields.oneOpt(2) }

      public enum Kind: Hashable {
        case product(AsProduct), article(AsArticle), other(String)
      }
      public var kind: Kind {
        if let object: AsProduct = _fields.oneOpt(1) { return .product(object) }
        if let object: AsArticle = _fields.oneOpt(2) { return .article(object) }
        return .other(_fields.string(0))
      }

      nonisolated public struct AsProduct: GraphQL.SelectedObject, Hashable {
        let _fields: GraphQL.Fields
        public var title: String? { _fields.stringOpt(1) }
        public var owner: Owner? { _fields.oneOpt(2) }

        nonisolated public struct Owner: GraphQL.SelectedObject, Hashable {
          let _fields: GraphQL.Fields
          public var id: GraphQL.ID { _fields.id(0) }
        }
      }

      nonisolated public struct AsArticle: GraphQL.SelectedObject, Hashable {
        let _fields: GraphQL.Fields
        public var title: String? { _fields.stringOpt(1) }
        public var body: String? { _fields.stringOpt(2) }
      }
    }

    nonisolated public struct Node: GraphQL.SelectedObject, Hashable {
      let _fields: GraphQL.Fields
      public var __typename: String { _fields.string(0) }
      public var id: GraphQL.ID { _fields.id(1) }
      public var asNamed: AsNamed? { _fields.oneOpt(2) }

      nonisolated public struct AsNamed: GraphQL.SelectedObject, Hashable {
        let _fields: GraphQL.Fields
        public var id: GraphQL.ID { _fields.id(1) }
        public var title: String? { _fields.stringOpt(2) }
        public var owner: Nodes? { _fields.oneOpt(3) }
      }
    }

    nonisolated public struct Nodes: GraphQL.SelectedObject, Hashable {
      let _fields: GraphQL.Fields
      public var __typename: String { _fields.string(0) }
      public var id: GraphQL.ID { _fields.id(1) }
    }

    nonisolated public struct Named: GraphQL.SelectedObject, Hashable {
      let _fields: GraphQL.Fields
      public var id: GraphQL.ID { _fields.id(0) }
      public var legacy: String? { _fields.stringOpt(1) }
      public var image: Image? { _fields.oneOpt(2) }
      public var related: [Nodes?]? { _fields.lists(3, of: Nodes.self) }

      nonisolated public struct Image: GraphQL.SelectedObject, Hashable {
        let _fields: GraphQL.Fields
        public var height: Int? { _fields.intOpt(0) }
      }
    }
  }
}

nonisolated public struct ProductCard: GraphQL.SelectedObject, Hashable {
  let _fields: GraphQL.Fields
  public var title: String? { _fields.stringOpt(0) }
  public var price: GraphQL.Decimal { _fields.value(1) }
  public var images: [Image] { _fields.list(2) }
  public var owner: Owner? { _fields.oneOpt(3) }

  nonisolated public struct Image: GraphQL.SelectedObject, Hashable {
    let _fields: GraphQL.Fields
    public var height: Int? { _fields.intOpt(0) }
  }

  nonisolated public struct Owner: GraphQL.SelectedObject, Hashable {
    let _fields: GraphQL.Fields
    public var title: String? { _fields.stringOpt(0) }
  }
}
