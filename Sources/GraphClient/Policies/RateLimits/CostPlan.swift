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
