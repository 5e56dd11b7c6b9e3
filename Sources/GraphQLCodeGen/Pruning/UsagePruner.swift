/// Keeps the elements of a plan that its users' sources can name.
///
/// Generated members are only used by their names. A field is kept if the name of its builder
/// method, of its property or of its aliased reader occurs in the sources, and if its type can be
/// reached. A type is reached from a root whose build function is named, through kept fields,
/// because one of its classes is named, or because its objects may be cast to a protocol that is
/// named. Names are not decided again, so kept elements look the same as without pruning.
///
/// Documents with operations and fragments use elements as well, by their names in the schema. Without
/// builders, only they use objects and their fields, and nothing else is kept of these but keys and versions.
///
/// These are kept without being named: key and version fields, page info and cursors of
/// connections, and user errors with all their fields.
struct UsagePruner {
  private let plan: GenerationPlan
  private let words: SwiftIdentifiers
  private let documents: DocumentUses?
  private let composites: [String: CompositePlan]
  private let byQueryClass: [String: String]
  /// Fields that the store needs, as `Type.field`.
  private let storeFields: Set<String>

  /// Composites by schema name, in the order in which they were reached.
  private var reached: [String] = []
  private var kept: [String: CompositePlan] = [:]
  /// The types of user errors: all their leaves are kept.
  private var errorTypes: Set<String> = []

  static func prune(
    _ plan: GenerationPlan, to words: SwiftIdentifiers, _ documents: DocumentUses? = nil
  ) -> (plan: GenerationPlan, report: PruningReport) {
    var pruner = UsagePruner(plan, words, documents)
    pruner.reachAll()
    let pruned = pruner.prunedPlan
    return (pruned, PruningReport(from: plan, to: pruned))
  }

  private init(_ plan: GenerationPlan, _ words: SwiftIdentifiers, _ documents: DocumentUses?) {
    self.plan = plan
    self.words = words
    self.documents = documents
    composites = Dictionary(uniqueKeysWithValues: plan.composites.map { ($0.schemaName, $0) })
    byQueryClass = Dictionary(
      uniqueKeysWithValues: plan.composites.map { ($0.queryClass, $0.schemaName) })
    storeFields = TableLines.storeFields(plan.table)
  }

  // MARK: Reaching

  private mutating func reachAll() {
    for root in roots { reach(byQueryClass[root.queryClass]) }
    for composite in plan.composites where isNamed(composite) { reach(composite.schemaName) }
    var next = 0
    repeat {
      while next < reached.count {
        follow(reached[next])
        next += 1
      }
      reachCastObjects()
    } while next < reached.count
  }

  /// Reaches objects that can be cast: their position has one abstract type, and they also have
  /// another one that the sources name. Without their own class they would be values of an unlisted
  /// type, for which the cast fails.
  private mutating func reachCastObjects() {
    let abstract = kept.values.filter(\.isAbstract)
    let arriving = Set(abstract.map(\.responseType))
    let named = Set(abstract.map(\.responseType).filter(names))
    for object in plan.composites where !object.isAbstract {
      let protocols = arriving.intersection(object.protocols)
      if protocols.count > 1, !protocols.isDisjoint(with: named) { reach(object.schemaName) }
    }
  }

  private mutating func reach(_ name: String?) {
    guard let name, kept[name] == nil, let composite = composites[name] else { return }
    kept[name] = composite
    reached.append(name)
  }

  /// Keeps the named members of a reached type, and reaches their types.
  private mutating func follow(_ name: String) {
    guard var composite = kept[name] else { return }
    composite.fields = composite.fields.filter { keeps($0, of: composite) }.map { field in
      let (arguments, documentation) = named(field.arguments, field.documentation)
      return field.keeping(arguments, documentation)
    }
    composite.conditions = composite.conditions.filter { names($0.method) }
    kept[name] = composite
    for field in composite.fields {
      guard let target = field.subfields.flatMap({ byQueryClass[$0] }) else { continue }
      if field.isUserErrors { markErrors(target) }
      reach(target)
    }
    for condition in composite.conditions { reach(condition.schemaName) }
  }

  private mutating func markErrors(_ name: String) {
    guard errorTypes.insert(name).inserted, kept[name] != nil else { return }
    // Reached before it was known to be a type of user errors.
    kept[name] = composites[name]
    reached.append(name)
  }

  private func keeps(_ field: FieldPlan, of composite: CompositePlan) -> Bool {
    let coordinate = "\(composite.schemaName).\(field.schemaName)"
    if storeFields.contains(coordinate) || documents?.fields.contains(coordinate) ?? false {
      return true
    }
    guard plan.hasBuilders else { return false }
    return words.contains(field.method) || words.contains(field.property)
      || field.aliasedReader.map(words.contains) ?? false || field.isUserErrors
      || field.isPaging(of: composite)
      || (errorTypes.contains(composite.schemaName) && field.subfields == nil)
  }

  /// An argument that may be left out is used by its label. The comment describes only the
  /// remaining ones.
  private func named(
    _ arguments: [ArgumentPlan], _ documentation: Documentation
  ) -> ([ArgumentPlan], Documentation) {
    let arguments = arguments.filter { plan.hasBuilders && $0.isRequired || names($0.label) }
    var documentation = documentation
    documentation.parameters.removeAll { note in
      !arguments.contains { $0.variable == note.name }
    }
    return (arguments, documentation)
  }

  private var roots: [RootPlan] {
    plan.roots.filter { root in
      names(root.operation.buildFunction)
        || byQueryClass[root.queryClass].flatMap { composites[$0] }.map(isNamed) ?? false
    }
  }

  private func isNamed(_ composite: CompositePlan) -> Bool {
    documents?.types.contains(composite.schemaName) ?? false || names(composite.queryClass)
      || names(composite.responseType) || names(composite.responseClass)
  }

  /// Whether the sources use a name of a builder, or of a class for responses.
  private func names(_ name: String) -> Bool { plan.hasBuilders && words.contains(name) }

  // MARK: The pruned plan

  private var prunedPlan: GenerationPlan {
    var pruned = plan
    pruned.roots = roots
    pruned.composites = plan.composites.compactMap { kept[$0.schemaName] }
    let protocols = Set(pruned.composites.filter(\.isAbstract).map(\.responseType))
    for position in pruned.composites.indices {
      pruned.composites[position].protocols.removeAll { !protocols.contains($0) }
    }
    pruned.directives = plan.directives.filter { names($0.function) }
    for position in pruned.directives.indices {
      let directive = pruned.directives[position]
      (pruned.directives[position].arguments, pruned.directives[position].documentation) =
        named(directive.arguments, directive.documentation)
    }
    let values = UsedValues(in: pruned, words: words, documents: documents)
    pruned.enums = plan.enums.filter { values.names.contains($0.name) }
    pruned.inputs = values.inputs
    pruned.oneOfs = plan.oneOfs.filter { values.names.contains($0.name) }
    pruned.table = TableLines.pruned(plan.table, to: pruned)
    return pruned
  }
}

extension FieldPlan {
  /// The errors of a mutation that the user can correct: by convention `userErrors`, or a field
  /// whose name ends in that way.
  fileprivate var isUserErrors: Bool {
    subfields != nil && (schemaName == "userErrors" || schemaName.hasSuffix("UserErrors"))
  }

  /// The parts of the cursor connections convention that paging needs.
  fileprivate func isPaging(of composite: CompositePlan) -> Bool {
    switch schemaName {
    case "pageInfo": composite.schemaName.hasSuffix("Connection")
    case "cursor": composite.schemaName.hasSuffix("Edge")
    default: composite.schemaName == "PageInfo"
    }
  }
}

extension RootPlan.Operation {
  fileprivate var buildFunction: String {
    switch self {
    case .query: "buildQuery"
    case .mutation: "buildMutation"
    case .subscription: "buildSubscription"
    }
  }
}
