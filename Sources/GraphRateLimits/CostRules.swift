import GraphClient
import GraphQLRuntime

extension Graph.CostRules {
  /// The rules of Shopify: an object costs a point, a connection two points and its `first` or `last` times the
  /// cost of an item, a mutation ten points. The most costly of the possible types of an interface or a union counts.
  ///
  /// A single request costs at most 1,000 points.
  public static let shopify = Self(Graph.ServiceCosts.shopify, maximumCost: 1000)

  /// The rules of GitHub: a connection takes one request for each object that has it, which is the product of the
  /// `first` or `last` of the connections around it. A hundred requests cost a point, and a document at least one.
  ///
  /// A token has at most 10,000 points in an hour, so no request costs more.
  public static let gitHub = Self(Graph.ServiceCosts.gitHub, maximumCost: 10_000)

  /// The field cost of the [cost directives](https://ibm.github.io/graphql-specs/cost-spec.html) `@cost` and
  /// `@listSize` in the schema: the weights of all fields, arguments and input fields together, for each time that
  /// the field is resolved.
  ///
  /// The generator reads the directives from a schema in SDL, since the result of introspection does not have them.
  public static let fieldCost = Self(Graph.ServiceCosts.fieldCost, maximumCost: 10_000)

  /// The type cost of the same directives: the weights of all values of a response together.
  public static let typeCost = Self(Graph.ServiceCosts.typeCost, maximumCost: 10_000)
}

extension Graph {
  /// The ways in which services count costs.
  enum ServiceCosts: String, CostModel {
    case shopify, gitHub, fieldCost, typeCost

    var name: String { rawValue }

    /// Hot Chocolate reports two costs.
    var operationCost: String? {
      switch self {
      case .fieldCost, .typeCost: rawValue
      case .shopify, .gitHub: nil
      }
    }

    func plan(
      for document: String, in schema: GraphQL.SchemaTable, listSize: Double
    ) -> (any CostPlan)? {
      DocumentCost(document, in: schema, self, listSize: listSize)
    }
  }
}
