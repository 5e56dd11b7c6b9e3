import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph.DocumentCost {
  /// The cost of a document; nil if it is only learned.
  ///
  /// - Parameter listSize: the length of a list whose length is not known.
  init?(
    _ document: String, in schema: GraphQL.SchemaTable, _ costs: Graph.ServiceCosts,
    listSize: Double
  ) {
    guard let template = GraphQL.StoredDocument(document)?.template,
      let kind = template.kind, let root = schema.root(kind)
    else { return nil }
    var planner = Graph.CostPlanner(template, schema, costs, listSize: listSize)
    let selections = Graph.CostPlanner.Selections(template.selections, conditions: [])
    guard let items = try? planner.items(of: [selections], type: root, place: .root(kind), depth: 0)
    else { return nil }
    self.init(
      items: items, usesVariables: planner.usesVariables, defaults: planner.defaults,
      countsRequests: costs == .gitHub)
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
    let costs: ServiceCosts
    /// The length of a list whose length is not known.
    private let listSize: Double
    let defaults: [String: JSON]
    private let fragments: [String: GraphQL.DocumentTemplate.Fragment]
    /// The types about which the schema states costs.
    let statedTypes: Set<Substring>
    private var count = 0
    var usesVariables = false

    init(
      _ template: GraphQL.DocumentTemplate, _ schema: GraphQL.SchemaTable, _ costs: ServiceCosts,
      listSize: Double
    ) {
      self.schema = schema
      self.costs = costs
      self.listSize = Self.bounded(listSize)
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
    ) throws -> [DocumentCost.Item] {
      guard depth < Self.maximumDepth else { throw TooLarge() }
      // GitHub adds the connections of all fragments.
      guard type.isAbstract, costs != .gitHub else {
        return [try item(of: parts, type: type, declared: type, place: place, depth: depth)]
      }
      var conditions: Set<String> = []
      for part in parts { addTypeConditions(of: part.selections, to: &conditions) }
      let names = conditions.sorted()
      var known: Set<[String]> = []
      var items: [DocumentCost.Item] = []
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
    ) throws -> DocumentCost.Item {
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
      var fields: [DocumentCost.Field] = []
      for key in order {
        guard let field = merged[key] else { continue }
        if let planned = try plan(field, declared: declared, place: place, depth: depth + 1) {
          fields.append(planned)
        }
      }
      return DocumentCost.Item(weight: weight(of: type, at: place), fields: fields)
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
      if costs == .gitHub { return schema.type(named: condition) }
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

extension Graph.CostPlanner {
  /// A field's place in the plan; nil if neither it nor a field below it costs anything.
  mutating func plan(
    _ merged: MergedField, declared: GraphQL.TypeInfo, place: Place, depth: Int
  ) throws -> Graph.DocumentCost.Field? {
    let field = merged.field
    guard let info = merged.parent.field(field.name) else { return nil }
    let type = schema.type(of: info)
    let stated = stated(field.name, of: merged.parent, declared)
    let below = placeBelow(field, info, type, stated)
    var weight = 0.0
    var inputs: [Graph.InputCost] = []
    switch costs {
    case .typeCost: break
    case .shopify:
      if case .root(.mutation) = place {
        weight = 10
      } else if type?.isConnection == true {
        weight = 2
      }
    case .gitHub: weight = type?.isConnection == true ? 1 : 0
    case .fieldCost:
      weight = stated?.weight ?? (type == nil ? 0 : 1)
      weight += addInputs(field, info, merged.parent, declared, to: &inputs)
    }
    var items: [Graph.DocumentCost.Item] = []
    if let type {
      let isFree = hasFreeItems(field, type, place)
      items = try self.items(of: parts(merged), type: type, place: below, depth: depth)
      for index in items.indices where isFree { items[index].weight = 0 }
    } else if costs == .typeCost, let weight = schema.costs[info.type.name]?.weight {
      items = [Graph.DocumentCost.Item(weight: weight, fields: [])]
    }
    items.removeAll { $0.weight <= 0 && $0.fields.isEmpty }
    guard weight != 0 || !inputs.isEmpty || !items.isEmpty else { return nil }
    return Graph.DocumentCost.Field(
      occurrences: occurrences(merged), weight: weight, inputs: inputs,
      size: size(field, info, type, stated, place), items: items)
  }

  /// The statement of the schema about a field of an object, or of the interface through which it is selected.
  private func stated(
    _ field: String, of type: GraphQL.TypeInfo, _ declared: GraphQL.TypeInfo
  ) -> GraphQL.StatedCost? {
    guard !schema.costs.isEmpty else { return nil }
    return schema.costs["\(type.name).\(field)"] ?? schema.costs["\(declared.name).\(field)"]
      ?? type.related.lazy.compactMap { schema.costs["\($0).\(field)"] }.first
  }

  private func occurrences(_ merged: MergedField) -> [[Graph.CostCondition]] {
    let all = merged.occurrences.map(\.conditions)
    return all.contains([]) ? [[]] : all
  }

  /// The selections below a field. Conditions that decide about the field itself are left out.
  private func parts(_ merged: MergedField) -> [Selections] {
    let first = merged.occurrences.first?.conditions ?? []
    let isUniform = merged.occurrences.allSatisfy { $0.conditions == first }
    return merged.occurrences.map {
      isUniform ? Selections($0.selections, conditions: []) : $0
    }
  }

  /// The cost of one object of a type.
  func weight(of type: GraphQL.TypeInfo, at place: Place) -> Double {
    switch costs {
    case .gitHub, .fieldCost: return 0
    case .shopify: if case .root = place { return 0 } else { return 1 }
    case .typeCost: return schema.costs[type.name]?.weight ?? 1
    }
  }

  /// Shopify's two points for a connection include its edges and `pageInfo`, and the ten of a mutation its payload.
  private func hasFreeItems(
    _ field: GraphQL.TemplateField, _ type: GraphQL.TypeInfo, _ place: Place
  ) -> Bool {
    guard costs == .shopify else { return false }
    if type.isConnection { return true }
    return switch place {
    case .root(let kind): kind == .mutation
    case .sized: field.name == "edges" || field.name == "pageInfo"
    case .other: false
    }
  }

  private mutating func placeBelow(
    _ field: GraphQL.TemplateField, _ info: GraphQL.FieldInfo, _ type: GraphQL.TypeInfo?,
    _ stated: GraphQL.StatedCost?
  ) -> Place {
    switch costs {
    case .gitHub: return .other
    case .shopify:
      guard type?.isConnection == true else { return .other }
      return .sized(pageSize(field), fields: ["edges", "nodes"])
    case .fieldCost, .typeCost:
      guard let stated, stated.statesSize, !stated.sizedFields.isEmpty else { return .other }
      return .sized(size(stated, field), fields: stated.sizedFields)
    }
  }

  private mutating func size(
    _ field: GraphQL.TemplateField, _ info: GraphQL.FieldInfo, _ type: GraphQL.TypeInfo?,
    _ stated: GraphQL.StatedCost?, _ place: Place
  ) -> Graph.CostSize {
    if case .sized(let size, let names) = place, names.contains(field.name) { return size }
    switch costs {
    case .gitHub: return type?.isConnection == true ? pageSize(field) : .known(1)
    case .shopify:
      let hasPages = info.argument("first") != nil || info.argument("last") != nil
      return !info.type.wrapping.isSingle && hasPages ? pageSize(field) : .known(1)
    case .fieldCost, .typeCost:
      guard !info.type.wrapping.isSingle else { return .known(1) }
      guard let stated, stated.statesSize, stated.sizedFields.isEmpty else {
        return .known(listSize)
      }
      return size(stated, field)
    }
  }

  private mutating func pageSize(_ field: GraphQL.TemplateField) -> Graph.CostSize {
    let names = ["first", "last"]
    return size(
      names.map { Graph.CostSizeArgument(value: value($0, field), path: [], defaultValue: nil) },
      otherwise: listSize)
  }

  private mutating func size(
    _ stated: GraphQL.StatedCost, _ field: GraphQL.TemplateField
  ) -> Graph.CostSize {
    size(
      stated.slicingArguments.map { argument in
        Graph.CostSizeArgument(
          value: argument.path.first.flatMap { value($0, field) },
          path: Array(argument.path.dropFirst()), defaultValue: argument.defaultValue)
      }, otherwise: Self.bounded(stated.assumedSize ?? listSize))
  }

  /// A size without variables is computed once.
  private mutating func size(
    _ arguments: [Graph.CostSizeArgument], otherwise: Double
  ) -> Graph.CostSize {
    let size = Graph.CostSize.arguments(arguments, otherwise: otherwise)
    guard arguments.contains(where: { $0.value?.usesVariables ?? false }) else {
      return .known(size.count(.none))
    }
    usesVariables = true
    return size
  }

  private static func bounded(_ size: Double) -> Double {
    size.isFinite ? min(max(size, 0), Graph.DocumentCost.limit) : 1
  }

  private func value(
    _ name: String, _ field: GraphQL.TemplateField
  ) -> GraphQL.TemplateValue? {
    field.arguments.first { $0.name == name }?.value
  }

  /// Adds the weights of a field's arguments, and of those of its directives.
  ///
  /// - Returns: the total of those that do not depend on variables.
  private mutating func addInputs(
    _ field: GraphQL.TemplateField, _ info: GraphQL.FieldInfo, _ parent: GraphQL.TypeInfo,
    _ declared: GraphQL.TypeInfo, to inputs: inout [Graph.InputCost]
  ) -> Double {
    var all: [Graph.InputCost] = []
    for argument in field.arguments {
      let input = info.argument(argument.name).flatMap {
        schema.inputType(of: schema.namedType($0.type.name))
      }
      let stated = stated("\(field.name)(\(argument.name):)", of: parent, declared)
      all.append(
        Graph.InputCost(
          value: argument.value, weight: stated?.weight ?? (input == nil ? 0 : 1), type: input,
          schema: schema))
    }
    for directive in field.directives where !schema.costs.isEmpty {
      for argument in directive.arguments {
        let stated = schema.costs["@\(directive.name)(\(argument.name):)"]
        all.append(
          Graph.InputCost(
            value: argument.value, weight: stated?.weight ?? 0, type: nil, schema: schema))
      }
    }
    var known = 0.0
    for input in all where input.weight != 0 || input.type != nil {
      if input.value.usesVariables {
        usesVariables = true
        inputs.append(input)
      } else {
        known += input.cost(.none)
      }
    }
    return known
  }
}

extension GraphQL.TypeInfo {
  /// Whether the type is a connection of the Relay specification.
  fileprivate var isConnection: Bool {
    kind == .object && name.hasSuffix("Connection")
      && (field("edges") != nil || field("nodes") != nil)
  }
}

extension GraphQL.TemplateValue {
  fileprivate var usesVariables: Bool {
    switch self {
    case .json: false
    case .variable: true
    case .list(let elements): elements.contains(where: \.usesVariables)
    case .object(let fields): fields.contains { $0.value.usesVariables }
    }
  }
}

extension Graph {
  /// The cost of a document's requests, without the values of their variables.
  ///
  /// It has only the fields that cost something, or lead to such fields. So a request is estimated without reading
  /// the document or the schema again.
  struct DocumentCost: CostPlan {
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
          cost += size.count(variables) * DocumentCost.cost(of: items, variables)
        }
        return min(cost, DocumentCost.limit)
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
    func cost(_ variables: [UInt8]) -> Double {
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
      min(max(cost, -DocumentCost.limit), DocumentCost.limit)
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
      return min(max(count, 0), DocumentCost.limit)
    }
  }
}
