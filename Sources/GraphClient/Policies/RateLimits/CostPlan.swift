import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The cost of a document's requests, without the values of their variables.
  ///
  /// It has only the fields that cost something, or lead to such fields. So a request is estimated without reading
  /// the document or the schema again.
  package struct CostPlan: Sendable {
    /// The highest cost, length or product of them.
    static let limit = 1e12

    /// A field, or several with one name in the response, which the server merges.
    struct Field: Sendable {
      /// The field is selected if all conditions of one of the lists hold.
      var occurrences: [[CostCondition]]
      /// Counts once, whatever the length of the list.
      var weight: Double
      /// Weights that depend on the values of arguments.
      var inputs: [InputCost] = []
      var size: CostSize
      /// The objects that each item may be; the most costly one counts.
      var items: [Item]

      func cost(_ variables: CostVariables) -> Double {
        guard
          occurrences.contains(where: { conditions in
            conditions.allSatisfy { $0.holds(variables) }
          })
        else { return 0 }
        let own = inputs.reduce(weight) { $0 + $1.cost(variables) }
        var cost = max(own, 0)
        if !items.isEmpty {
          // Nothing times an unlimited cost is nothing: all factors are finite.
          cost += size.count(variables) * CostPlan.cost(of: items, variables)
        }
        return min(cost, CostPlan.limit)
      }
    }

    /// An object of one type, or of several types that cost the same; or a value without selections.
    struct Item: Sendable {
      var weight: Double
      var fields: [Field]
    }

    let items: [Item]
    let usesVariables: Bool
    /// The defaults of variables in the document.
    let defaults: [String: JSON]
    /// A hundred requests are a point, and less than one point is one.
    let countsRequests: Bool

    /// The estimate for a request.
    ///
    /// - Parameter variables: the JSON object that is sent.
    package func cost(_ variables: [UInt8]) -> Double {
      let values = usesVariables ? CostVariables(variables, defaults: defaults) : .none
      let cost = Self.cost(of: items, values)
      return countsRequests ? max((cost / 100).rounded(), 1) : cost
    }

    private static func cost(of items: [Item], _ variables: CostVariables) -> Double {
      var highest = 0.0
      for item in items {
        var cost = max(item.weight, 0)
        for field in item.fields { cost += field.cost(variables) }
        highest = max(highest, cost)
      }
      return min(highest, limit)
    }
  }

  /// The weight of an argument, with those of the input fields in its value.
  struct InputCost: Sendable {
    let value: GraphQL.TemplateValue
    let weight: Double
    /// The input object; nil for other values.
    let type: GraphQL.TypeInfo?
    let schema: GraphQL.SchemaTable

    func cost(_ variables: CostVariables) -> Double {
      guard let value = value.json(variables.value) else { return 0 }
      guard let type else { return weight }
      return weight + fields(of: value, type, depth: 0)
    }

    private func fields(of value: JSON, _ type: GraphQL.TypeInfo, depth: Int) -> Double {
      guard depth < 100 else { return 0 }
      switch value {
      case .array(let elements):
        return elements.reduce(0) { bounded($0 + fields(of: $1, type, depth: depth + 1)) }
      case .object(let object):
        var cost = 0.0
        for member in object.members {
          guard let field = type.field(member.key) else { continue }
          let input = schema.inputType(of: field.named)
          let stated = schema.costs["\(type.name).\(field.name)"]?.weight
          cost += stated ?? (input == nil ? 0 : 1)
          if let input { cost += fields(of: member.value, input, depth: depth + 1) }
        }
        return bounded(cost)
      default: return 0
      }
    }

    private func bounded(_ cost: Double) -> Double {
      min(max(cost, -CostPlan.limit), CostPlan.limit)
    }
  }
}

extension GraphQL.SchemaTable {
  /// The input object of an argument or input field; nil if it has another value.
  func inputType(of named: GraphQL.NamedType) -> GraphQL.TypeInfo? {
    if case .input(let position) = named { type(at: position) } else { nil }
  }
}

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

extension Graph {
  /// The values of a request's variables, as far as a plan needs them.
  struct CostVariables {
    private let values: JSONNode?
    private let defaults: [String: JSON]

    /// - Parameter variables: the JSON object that is sent; a text that is none counts as empty.
    init(_ variables: [UInt8], defaults: [String: JSON]) {
      values = (try? JSONDocument(parsing: variables)).map {
        JSONNode(document: $0, index: JSONDocument.rootIndex)
      }
      self.defaults = defaults
    }

    private init() {
      values = nil
      defaults = [:]
    }

    static let none = CostVariables()

    func value(_ name: String) -> JSON? { values?[name]?.json ?? defaults[name] }
  }

  /// `@include` or `@skip` with a variable.
  struct CostCondition: Sendable, Hashable {
    let variable: String
    let value: Bool

    func holds(_ variables: CostVariables) -> Bool {
      // The server refuses a condition without a value; counting the field gives an upper bound.
      guard case .bool(let given)? = variables.value(variable) else { return true }
      return given == value
    }
  }

  /// The length of a list.
  indirect enum CostSize: Sendable {
    case known(Double)
    /// The highest value of some arguments; `otherwise` if none has a value.
    case arguments([CostSizeArgument], otherwise: Double)

    func count(_ variables: CostVariables) -> Double {
      switch self {
      case .known(let count): count
      case .arguments(let arguments, let otherwise):
        arguments.compactMap { $0.count(variables) }.max() ?? otherwise
      }
    }
  }

  struct CostSizeArgument: Sendable {
    /// nil if the document does not have the argument.
    let value: GraphQL.TemplateValue?
    /// The fields of input objects that lead to the number.
    let path: [String]
    /// The default in the schema.
    let defaultValue: Double?

    func count(_ variables: CostVariables) -> Double? {
      guard var json = value?.json(variables.value) else { return defaultValue }
      for name in path {
        guard let next = json[name] else { return nil }
        json = next
      }
      guard case .number(let number) = json, let count = number.double else { return nil }
      return min(max(count, 0), CostPlan.limit)
    }
  }
}
