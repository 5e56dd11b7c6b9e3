import GraphQLCodeGen

/// One step on the way from a root to a type.
enum Step {
  case field(FieldPlan)
  case condition(ConditionPlan)
}

/// A way to an object of some type: the root operation, and the steps below it.
struct Path {
  let root: RootPlan
  var steps: [Step] = []
}

/// Finds the shortest way to every type, breadth first over the builder classes.
struct PathFinder {
  private let composites: [String: CompositePlan]
  private(set) var paths: [String: Path] = [:]

  init(_ plan: GenerationPlan) {
    composites = Dictionary(uniqueKeysWithValues: plan.composites.map { ($0.queryClass, $0) })
    var queue: [String] = []
    for root in plan.roots {
      paths[root.queryClass] = Path(root: root)
      queue.append(root.queryClass)
    }
    var position = 0
    while position < queue.count {
      let path = paths[queue[position]]!
      for (step, target) in edges(from: composites[queue[position]]!) where paths[target] == nil {
        paths[target] = Path(root: path.root, steps: path.steps + [step])
        queue.append(target)
      }
      position += 1
    }
  }

  private func edges(from composite: CompositePlan) -> [(Step, String)] {
    // Lists first: their elements are there more often than a single object that may be null.
    let fields = composite.fields.filter { $0.subfields != nil }
      .sorted { $0.isList && !$1.isList }
      .map { (Step.field($0), $0.subfields!) }
    return fields + composite.conditions.map { (Step.condition($0), $0.queryClass) }
  }
}

extension FieldPlan {
  fileprivate var isList: Bool {
    if case .array = type { true } else { false }
  }
}
