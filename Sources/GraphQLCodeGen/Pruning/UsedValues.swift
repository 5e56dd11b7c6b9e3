/// Enums and input objects to which a pruned plan still refers, or that the sources name.
struct UsedValues {
  /// Swift names.
  private(set) var names: Set<String> = []
  /// The input objects among them, without the optional fields that the sources do not name.
  private(set) var inputs: [InputObjectPlan] = []
  private var pending: [String] = []

  init(in plan: GenerationPlan, words: SwiftIdentifiers, documents: DocumentUses? = nil) {
    for composite in plan.composites {
      for field in composite.fields {
        use(field.type)
        field.arguments.forEach { use($0.type) }
      }
    }
    for directive in plan.directives { directive.arguments.forEach { use($0.type) } }
    let named = plan.enums.map(\.name) + plan.inputs.map(\.name) + plan.oneOfs.map(\.name)
    for name in named where words.contains(name) { use(.generated(name)) }

    if let documents {
      let types =
        plan.enums.map { ($0.schemaName, $0.name) } + plan.inputs.map { ($0.schemaName, $0.name) }
        + plan.oneOfs.map { ($0.schemaName, $0.name) }
      for (schemaName, name) in types where documents.values.contains(schemaName) {
        use(.generated(name))
      }
    }

    let inputsByName = Dictionary(uniqueKeysWithValues: plan.inputs.map { ($0.name, $0) })
    let oneOfsByName = Dictionary(uniqueKeysWithValues: plan.oneOfs.map { ($0.name, $0) })
    var kept: [String: InputObjectPlan] = [:]
    while let name = pending.popLast() {
      if var input = inputsByName[name] {
        input.fields.removeAll { field in
          !field.argument.isRequired && !words.contains(field.argument.label)
            && !words.contains(field.property)
        }
        input.fields.forEach { use($0.argument.type) }
        kept[name] = input
      }
      oneOfsByName[name]?.cases.forEach { use($0.type) }
    }
    inputs = plan.inputs.compactMap { kept[$0.name] }
  }

  private mutating func use(_ type: SwiftType) {
    switch type {
    case .named, .existential: break
    case .generated(let name): if names.insert(name).inserted { pending.append(name) }
    case .optional(let inner), .array(let inner): use(inner)
    }
  }
}
