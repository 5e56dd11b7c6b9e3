extension Graph {
  /// How the cost of a request is estimated before it is sent; see <doc:RateLimits>.
  ///
  /// ```swift
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.rateLimiter = Graph.BudgetLimiter()
  /// configuration.costRules = .shopify
  /// ```
  ///
  /// The rules are applied to documents of generated modules. The cost of another document is learned from responses,
  /// and so is that of one with more than 10,000 fields, or more than 100 levels.
  public struct CostRules: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case learned, shopify, gitHub, fieldCost, typeCost
    }

    let kind: Kind
    /// The cost of a document to which the rules cannot be applied, and that was not sent before.
    public var initialCost = 1.0
    /// The length of a list whose length is not known from the document and the schema.
    public var listSize = 1.0
    /// The highest estimate. A service refuses a request that costs more than it allows, and other requests should not
    /// wait for its points. Set it to the limit of your service.
    public var maximumCost: Double

    /// Costs are only learned from responses: a request is expected to cost what the server requested for the
    /// document before.
    public static let learned = CostRules(kind: .learned, maximumCost: 1e12)

    /// The rules of Shopify: an object costs a point, a connection two points and its `first` or `last` times the
    /// cost of an item, a mutation ten points. The most costly of the possible types of an interface or a union counts.
    ///
    /// A single request costs at most 1,000 points.
    public static let shopify = CostRules(kind: .shopify, maximumCost: 1000)

    /// The rules of GitHub: a connection takes one request for each object that has it, which is the product of the
    /// `first` or `last` of the connections around it. A hundred requests cost a point, and a document at least one.
    ///
    /// A token has at most 10,000 points in an hour, so no request costs more.
    public static let gitHub = CostRules(kind: .gitHub, maximumCost: 10_000)

    /// The field cost of the [cost directives](https://ibm.github.io/graphql-specs/cost-spec.html) `@cost` and
    /// `@listSize` in the schema: the weights of all fields, arguments and input fields together, for each time that
    /// the field is resolved.
    ///
    /// The generator reads the directives from a schema in SDL, since the result of introspection does not have them.
    public static let fieldCost = CostRules(kind: .fieldCost, maximumCost: 10_000)

    /// The type cost of the same directives: the weights of all values of a response together.
    public static let typeCost = CostRules(kind: .typeCost, maximumCost: 10_000)
  }
}
