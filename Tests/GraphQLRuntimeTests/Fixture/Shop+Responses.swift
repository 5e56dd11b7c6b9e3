import GraphQLRuntime

extension Shop {
  public final class Article: _Response, Node, Result, @unchecked Sendable {
    public var body: String? { _stringOpt("body") }
    public var id: GraphQL.ID { _id("id") }
    public var title: String? { _stringOpt("title") }
  }

  public final class Feed: _Response, @unchecked Sendable {
    public var changed: Product { _one("changed") }
    public func aliasedChanged(alias: String) -> Product { _one("changed", alias) }
    public var removed: Product { _one("removed") }
    public func aliasedRemoved(alias: String) -> Product { _one("removed", alias) }
  }

  public final class Image: _Response, @unchecked Sendable {
    public var height: Int? { _intOpt("height") }
    public var url: GraphQL.URL { _value("url") }
    public func aliasedUrl(alias: String) -> GraphQL.URL { _value("url", alias) }
  }

  public final class Mutation: _Response, @unchecked Sendable {
    public var attach: Bool { _bool("attach") }
    public func aliasedAttach(alias: String) -> Bool { _bool("attach", alias) }
    public var rename: Product? { _oneOpt("rename") }
    public func aliasedRename(alias: String) -> Product? { _oneOpt("rename", alias) }
  }

  public protocol Named: Node {}
  public final class UnknownNamed: _Response, Named, Node, @unchecked Sendable {}

  public protocol Node: GraphQL.AbstractResponse {}
  public final class UnknownNode: _Response, Node, @unchecked Sendable {}

  public final class Product: _Response, Named, Node, Result, @unchecked Sendable {
    public var available: Bool { _bool("available") }
    public var big: GraphQL.BigInt? { _value("big") }
    public var code: Color { _value("code") }
    public var codes: [Color] { _value("codes") }
    public var createdAt: GraphQL.DateTime { _value("createdAt") }
    public var day: GraphQL.LocalDate? { _value("day") }
    public var id: GraphQL.ID { _id("id") }
    public var image: Image? { _oneOpt("image") }
    public func aliasedImage(alias: String) -> Image? { _oneOpt("image", alias) }
    public var images: [Image] { _list("images") }
    public func aliasedImages(alias: String) -> [Image] { _list("images", alias) }
    public var legacy__id: String? { _stringOpt("legacy__id") }
    public var matrix: [[Int?]]? { _value("matrix") }
    public var meta: GraphQL.JSON? { _value("meta") }
    public var owner: Article? { _oneOpt("owner") }
    public var points: [Point]? { _value("points") }
    public var price: GraphQL.Decimal { _value("price") }
    public var rating: Double? { _doubleOpt("rating") }
    public var related: [(any Node)?]? { _anys("related") }
    public var tags: [String] { _value("tags") }
    public var thumbnails: [Image?]? { _value("thumbnails") }
    public var title: String? { _stringOpt("title") }
  }

  public final class QueryRoot: _Response, @unchecked Sendable {
    public var flags: Bool? { _boolOpt("flags") }
    public func aliasedFlags(alias: String) -> Bool? { _boolOpt("flags", alias) }
    public var nodes: [any Node] { _anyList("nodes") }
    public func aliasedNodes(alias: String) -> [any Node] { _anyList("nodes", alias) }
    public var node: (any Node)? { _anyOpt("node") }
    public func aliasedNode(alias: String) -> (any Node)? { _anyOpt("node", alias) }
    public var product: Product? { _oneOpt("product") }
    public func aliasedProduct(alias: String) -> Product? { _oneOpt("product", alias) }
    public var products: [Product] { _list("products") }
    public func aliasedProducts(alias: String) -> [Product] { _list("products", alias) }
    public var search: [any Result] { _anyList("search") }
    public func aliasedSearch(alias: String) -> [any Result] { _anyList("search", alias) }
  }

  public protocol Result: GraphQL.AbstractResponse {}
  public final class UnknownResult: _Response, Result, @unchecked Sendable {}
}

extension Shop.Named {
  public var id: GraphQL.ID { _id("id") }
  public var owner: (any Shop.Node)? { _anyOpt("owner") }
  public var title: String? { _stringOpt("title") }
}

extension Shop.Node {
  public var id: GraphQL.ID { _id("id") }
}
