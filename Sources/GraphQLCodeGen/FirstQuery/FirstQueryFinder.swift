/// Finds the best path from the root type of queries to a leaf.
///
/// Every field costs something, and the path with the lowest total is the best. Each round finds, for each
/// type, the best path with one more field, so the time is limited even if types refer to each other.
struct FirstQueryFinder {
  private let plan: GenerationPlan
  private let types: [String: CompositePlan]
  private let root: CompositePlan?
  /// The best paths from each type, by its query class, of at most `Self.depth` - 1 fields.
  private var paths: [String: Path] = [:]

  /// The most fields on a path: a connection with edges takes four.
  private static let depth = 6

  private struct Path {
    var fields: [FieldPlan]
    var endsWithTypename = false
    var cost: Int
  }

  init(_ plan: GenerationPlan) {
    self.plan = plan
    types = Dictionary(plan.composites.map { ($0.queryClass, $0) }) { first, _ in first }
    root = plan.roots.first { $0.operation == .query }.flatMap { [types] in types[$0.queryClass] }
    for type in plan.composites {
      paths[type.queryClass] = Path(fields: [], endsWithTypename: true, cost: FieldCost.typename)
    }
    for _ in 2..<Self.depth {
      var longer = paths
      for type in plan.composites { longer[type.queryClass] = best(from: type) }
      paths = longer
    }
  }

  /// The query that selects only the name of the root type.
  var typename: FirstQuery {
    query(Path(fields: [], endsWithTypename: true, cost: FieldCost.rootTypename))
  }

  /// The best query for each field of the root.
  var queries: [FirstQuery] {
    guard let root else { return [] }
    return root.fields.compactMap { field in
      path(from: root, field).map { path in
        var path = path
        if field.subfields == nil { path.cost += FieldCost.rootLeaf }
        return query(path)
      }
    }
  }

  private func query(_ path: Path) -> FirstQuery {
    FirstQuery(
      namespace: plan.namespace, fields: path.fields, endsWithTypename: path.endsWithTypename,
      cost: path.cost)
  }

  private func best(from type: CompositePlan) -> Path? {
    var best = paths[type.queryClass]
    for field in type.fields {
      guard let path = path(from: type, field), path.cost < best?.cost ?? .max else { continue }
      best = path
    }
    return best
  }

  /// The best path that begins with a field; nil if the field cannot be selected.
  private func path(from type: CompositePlan, _ field: FieldPlan) -> Path? {
    guard let subfields = field.subfields else {
      return FieldCost.leaf(field, of: type).map { Path(fields: [field], cost: $0) }
    }
    guard let child = types[subfields], let rest = paths[subfields],
      let cost = FieldCost.object(field, child)
    else { return nil }
    return Path(
      fields: [field] + rest.fields, endsWithTypename: rest.endsWithTypename,
      cost: cost + rest.cost)
  }
}
