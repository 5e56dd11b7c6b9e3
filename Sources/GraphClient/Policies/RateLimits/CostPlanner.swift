import GraphJSON
import GraphQLRuntime

extension Graph.CostPlan {
  /// The plan for a document; nil if its costs are only learned.
  package init?(_ document: String, in schema: GraphQL.SchemaTable, rules: Graph.CostRules) {
    guard rules.kind != .learned, let template = GraphQL.StoredDocument(document)?.template,
      let kind = template.kind, let root = schema.root(kind)
    else { return nil }
    var planner = Graph.CostPlanner(template, schema, rules)
    let selections = Graph.CostPlanner.Selections(template.selections, conditions: [])
    guard let items = try? planner.items(of: [selections], type: root, place: .root(kind), depth: 0)
    else { return nil }
    self.init(
      items: items, usesVariables: planner.usesVariables, defaults: planner.defaults,
      countsRequests: rules.kind == .gitHub)
  }
}

extension Graph {
  /// Selects the fields of a document that cost something.
  struct CostPlanner {
    /// The document is too large for a plan.
    struct TooLarge: Error {}

    /// Where selections are.
    enum Place {
      case root(GraphQL.OperationType)
      /// Below a field that determines the length of lists in it.
      case sized(CostSize, fields: [String])
      case other
    }

    /// A part of a selection set, and when it applies.
    struct Selections {
      let selections: [GraphQL.TemplateSelection]
      let conditions: [CostCondition]

      init(_ selections: [GraphQL.TemplateSelection], conditions: [CostCondition]) {
        self.selections = selections
        self.conditions = conditions
      }
    }

    /// The fields of one selection set that the server merges.
    struct MergedField {
      let field: GraphQL.TemplateField
      let parent: GraphQL.TypeInfo
      var occurrences: [Selections]
    }

    private static let maximumFieldCount = 10_000
    private static let maximumDepth = 100

    let schema: GraphQL.SchemaTable
    let rules: CostRules
    let defaults: [String: JSON]
    private let fragments: [String: GraphQL.DocumentTemplate.Fragment]
    /// The types about which the schema states costs.
    let statedTypes: Set<Substring>
    private var count = 0
    var usesVariables = false

    init(
      _ template: GraphQL.DocumentTemplate, _ schema: GraphQL.SchemaTable, _ rules: CostRules
    ) {
      self.schema = schema
      self.rules = rules
      fragments = Dictionary(
        template.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      defaults = Dictionary(
        template.variables.compactMap { variable in
          variable.defaultValue?.json { _ in nil }.map { (variable.name, $0) }
        }, uniquingKeysWith: { first, _ in first })
      statedTypes = Set(schema.costs.keys.compactMap { $0.split(separator: ".").first })
    }

    /// The possible objects of a selection set. Those with the same fields are one.
    mutating func items(
      of parts: [Selections], type: GraphQL.TypeInfo, place: Place, depth: Int
    ) throws -> [CostPlan.Item] {
      guard depth < Self.maximumDepth else { throw TooLarge() }
      // GitHub adds the connections of all fragments.
      guard type.isAbstract, rules.kind != .gitHub else {
        return [try item(of: parts, type: type, declared: type, place: place, depth: depth)]
      }
      var conditions: Set<String> = []
      for part in parts { addTypeConditions(of: part.selections, to: &conditions) }
      let names = conditions.sorted()
      var known: Set<[String]> = []
      var items: [CostPlan.Item] = []
      for name in schema.possibleTypes(of: type).sorted() {
        guard let possible = schema.type(named: name) else { continue }
        var applied = names.filter { schema.applies($0, to: possible) }
        if statedTypes.contains(Substring(name)) { applied.append(" \(name)") }
        guard known.insert(applied).inserted else { continue }
        items.append(
          try item(of: parts, type: possible, declared: type, place: place, depth: depth))
      }
      if items.isEmpty {
        items.append(
          try item(of: parts, type: type, declared: type, place: place, depth: depth))
      }
      return items
    }

    private mutating func item(
      of parts: [Selections], type: GraphQL.TypeInfo, declared: GraphQL.TypeInfo, place: Place,
      depth: Int
    ) throws -> CostPlan.Item {
      var merged: [[String]: MergedField] = [:]
      var order: [[String]] = []
      for part in parts {
        var spread: Set<Spread> = []
        try flatten(part, of: type, depth: depth, &spread) { field, parent, occurrence in
          let key = [field.responseName, parent.name]
          if merged[key] == nil {
            order.append(key)
            merged[key] = MergedField(field: field, parent: parent, occurrences: [])
          }
          merged[key]?.occurrences.append(occurrence)
        }
      }
      var fields: [CostPlan.Field] = []
      for key in order {
        guard let field = merged[key] else { continue }
        if let planned = try plan(field, declared: declared, place: place, depth: depth + 1) {
          fields.append(planned)
        }
      }
      return CostPlan.Item(weight: weight(of: type, at: place), fields: fields)
    }

    private struct Spread: Hashable {
      let fragment: String
      let conditions: [CostCondition]
    }

    private mutating func flatten(
      _ part: Selections, of type: GraphQL.TypeInfo, depth: Int, _ spread: inout Set<Spread>,
      add: (GraphQL.TemplateField, GraphQL.TypeInfo, Selections) -> Void
    ) throws {
      guard depth < Self.maximumDepth else { throw TooLarge() }
      for selection in part.selections {
        count += 1
        guard count <= Self.maximumFieldCount else { throw TooLarge() }
        switch selection {
        case .field(let field):
          if let conditions = conditions(field.directives, after: part.conditions) {
            add(field, type, Selections(field.selections ?? [], conditions: conditions))
          }
        case .inlineFragment(let name, let directives, let selections):
          guard let conditions = conditions(directives, after: part.conditions),
            let inner = name.map({ narrowed($0, type) }) ?? type
          else { continue }
          try flatten(
            Selections(selections, conditions: conditions), of: inner, depth: depth + 1, &spread,
            add: add)
        case .spread(let name, let directives):
          guard let conditions = conditions(directives, after: part.conditions),
            spread.insert(Spread(fragment: name, conditions: conditions)).inserted,
            let fragment = fragments[name], let inner = narrowed(fragment.typeName, type)
          else { continue }
          try flatten(
            Selections(fragment.selections, conditions: conditions), of: inner, depth: depth + 1,
            &spread, add: add)
        }
      }
    }

    /// The type whose fields a fragment selects; nil if the fragment does not apply.
    private func narrowed(_ condition: String, _ type: GraphQL.TypeInfo) -> GraphQL.TypeInfo? {
      if rules.kind == .gitHub { return schema.type(named: condition) }
      return schema.applies(condition, to: type) ? type : nil
    }

    /// All conditions of a selection; nil if it is never selected.
    private mutating func conditions(
      _ directives: [GraphQL.TemplateDirective], after outer: [CostCondition]
    ) -> [CostCondition]? {
      var conditions = outer
      for directive in directives where directive.name == "include" || directive.name == "skip" {
        let wanted = directive.name == "include"
        switch directive.arguments.first(where: { $0.name == "if" })?.value {
        case .json(.bool(let value))?: if value != wanted { return nil }
        case .variable(let name)?:
          usesVariables = true
          let condition = CostCondition(variable: name, value: wanted)
          if !conditions.contains(condition) { conditions.append(condition) }
        default: break
        }
      }
      return conditions
    }

    private func addTypeConditions(
      of selections: [GraphQL.TemplateSelection], to names: inout Set<String>
    ) {
      var waiting = selections
      var visited: Set<String> = []
      while let selection = waiting.popLast() {
        switch selection {
        case .field: break
        case .inlineFragment(let name, _, let selections):
          if let name { names.insert(name) }
          waiting += selections
        case .spread(let name, _):
          guard visited.insert(name).inserted, let fragment = fragments[name] else { continue }
          names.insert(fragment.typeName)
          waiting += fragment.selections
        }
      }
    }
  }
}
