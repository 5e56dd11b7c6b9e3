import GraphQLRuntime

extension Graph.CostPlanner {
  /// A field's place in the plan; nil if neither it nor a field below it costs anything.
  mutating func plan(
    _ merged: MergedField, declared: GraphQL.TypeInfo, place: Place, depth: Int
  ) throws -> Graph.CostPlan.Field? {
    let field = merged.field
    guard let info = merged.parent.field(field.name) else { return nil }
    let type = schema.type(of: info)
    let stated = stated(field.name, of: merged.parent, declared)
    let below = placeBelow(field, info, type, stated)
    var weight = 0.0
    var inputs: [Graph.InputCost] = []
    switch rules.kind {
    case .learned, .typeCost: break
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
    var items: [Graph.CostPlan.Item] = []
    if let type {
      let isFree = hasFreeItems(field, type, place)
      items = try self.items(of: parts(merged), type: type, place: below, depth: depth)
      for index in items.indices where isFree { items[index].weight = 0 }
    } else if rules.kind == .typeCost, let weight = schema.costs[info.type.name]?.weight {
      items = [Graph.CostPlan.Item(weight: weight, fields: [])]
    }
    items.removeAll { $0.weight <= 0 && $0.fields.isEmpty }
    guard weight != 0 || !inputs.isEmpty || !items.isEmpty else { return nil }
    return Graph.CostPlan.Field(
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
    switch rules.kind {
    case .learned, .gitHub, .fieldCost: return 0
    case .shopify: if case .root = place { return 0 } else { return 1 }
    case .typeCost: return schema.costs[type.name]?.weight ?? 1
    }
  }

  /// Shopify's two points for a connection include its edges and `pageInfo`, and the ten of a mutation its payload.
  private func hasFreeItems(
    _ field: GraphQL.TemplateField, _ type: GraphQL.TypeInfo, _ place: Place
  ) -> Bool {
    guard rules.kind == .shopify else { return false }
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
    switch rules.kind {
    case .learned, .gitHub: return .other
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
    switch rules.kind {
    case .learned: return .known(1)
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
      }, otherwise: bounded(stated.assumedSize ?? listSize))
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

  private var listSize: Double { bounded(rules.listSize) }

  private func bounded(_ size: Double) -> Double {
    size.isFinite ? min(max(size, 0), Graph.CostPlan.limit) : 1
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
