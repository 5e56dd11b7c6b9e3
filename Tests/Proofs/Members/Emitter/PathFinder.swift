import GraphQLCodeGen

/// One step on the path from a root to a type.
enum Step {
  case field(FieldPlan)
  case condition(ConditionPlan)
}

/// A path to an object of a type: the root operation, and the steps below it.
struct Path {
  let root: RootPlan
  var steps: [Step] = []

  var hasCondition: Bool {
    steps.contains { if case .condition = $0 { true } else { false } }
  }
}

/// Finds a short path to every type: breadth first along fields. Types that fields do not lead to
/// are reached over type conditions, which apply only to some of the mock objects.
struct PathFinder {
  private let composites: [String: CompositePlan]
  private(set) var paths: [String: Path] = [:]
  /// Builder classes in the order in which they were reached.
  private var reached: [String] = []

  init(_ plan: GenerationPlan) {
    composites = Dictionary(uniqueKeysWithValues: plan.composites.map { ($0.queryClass, $0) })
    for root in plan.roots { reach(root.queryClass, by: Path(root: root)) }
    var followed = 0
    var conditionsFollowed = 0
    while conditionsFollowed < reached.count {
      while followed < reached.count {
        follow(Self.fields(of:), from: reached[followed])
        followed += 1
      }
      follow(Self.conditions(of:), from: reached[conditionsFollowed])
      conditionsFollowed += 1
    }
  }

  private mutating func follow(_ edges: (CompositePlan) -> [(Step, String)], from source: String) {
    guard let path = paths[source], let composite = composites[source] else { return }
    for (step, target) in edges(composite) {
      reach(target, by: Path(root: path.root, steps: path.steps + [step]))
    }
  }

  private mutating func reach(_ target: String, by path: Path) {
    guard paths[target] == nil else { return }
    paths[target] = path
    reached.append(target)
  }

  /// Lists come first: they have elements more often than a nullable object has a value.
  private static func fields(of composite: CompositePlan) -> [(Step, String)] {
    composite.fields.filter { $0.subfields != nil }
      .sorted { $0.isList && !$1.isList }
      .map { (Step.field($0), $0.subfields!) }
  }

  private static func conditions(of composite: CompositePlan) -> [(Step, String)] {
    composite.conditions.map { (Step.condition($0), $0.queryClass) }
  }
}

extension FieldPlan {
  fileprivate var isList: Bool {
    if case .array = type { true } else { false }
  }
}
