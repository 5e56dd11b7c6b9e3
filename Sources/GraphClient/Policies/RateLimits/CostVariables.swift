import GraphJSON
import GraphQLRuntime

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
