import GraphQLSchema

extension DocumentCompletion {
  /// Plans the keys of a set whose type has no key of its own.
  mutating func keyPlan(of set: Document.SelectionSet, on type: NamedType) -> KeyPlan {
    var plan = KeyPlan()
    var lacking: [String] = []
    for object in schema.possibleTypes(of: type) {
      let key = keys[object.name]
      if !key.allSatisfy({ selects($0, set, on: object.name) }) { lacking.append(object.name) }
    }
    if lacking.isEmpty { return plan }
    let cover = KeyCover(of: lacking, keys)
    let unplaced = lacking.filter { !hasCondition(for: $0, in: set) }
    var added: [KeyFragment] = []
    if let fragments = cover.smallest(of: unplaced) {
      added = fragments
    } else {
      plan.omitted = unplaced
    }
    plan.conditioned = Set(lacking).subtracting(plan.omitted)
    for fragment in added {
      let objects = lacking.filter { cover.has(fragment, $0) }
      plan.conditioned.subtract(objects)
      if let hidden = hidden(fragment, by: set, on: type) {
        plan.hidden.append(hidden)
        plan.hiddenObjects.formUnion(objects)
      } else {
        plan.fragments.append(fragment)
      }
    }
    return plan
  }

  /// The plan of a fragment's own set.
  private mutating func keyPlan(of fragment: FragmentDefinition) -> KeyPlan {
    if let known = fragmentPlans[fragment.name] { return known }
    guard let type = schema.type(named: fragment.typeCondition.name) else { return KeyPlan() }
    // A faulty document may have fragments that spread themselves.
    fragmentPlans[fragment.name] = KeyPlan()
    let plan = keyPlan(of: fragment.selectionSet, on: type)
    fragmentPlans[fragment.name] = plan
    return plan
  }

  /// Whether the key of an object can be added to a type condition that applies whenever the object arrives.
  private func hasCondition(for object: String, in set: Document.SelectionSet) -> Bool {
    set.selections.contains { selection in
      guard case .inlineFragment(let fragment) = selection, !selection.isConditional else {
        return false
      }
      let condition = fragment.typeCondition?.name
      guard condition.map({ schema.isSubtype(object, of: $0) }) ?? true else { return false }
      return condition.map { keys[$0] == keys[object] } ?? false
        || hasCondition(for: object, in: fragment.selectionSet)
    }
  }

  /// The fields and spreads of a plan, each with a note. The range is that of the notes.
  mutating func added(
    by plan: KeyPlan, on type: NamedType, at range: SourceRange
  ) -> [Document.Selection] {
    for hidden in plan.hidden { warnHidden(hidden.key, of: hidden.fragment.type, hidden.field) }
    warnOmitted(plan.omitted, of: type, at: range)
    return plan.fragments.flatMap { fragment -> [Document.Selection] in
      for key in fragment.fields { noteAdded(key, of: fragment.type, at: range) }
      if schema.isSubtype(type.name, of: fragment.type) {
        return fragment.fields.map { .field(Document.Field(name: $0)) }
      }
      add(fragment)
      return [.fragmentSpread(Document.FragmentSpread(name: fragment.name))]
    }
  }

  mutating func noteAdded(_ key: String, of type: String, at range: SourceRange) {
    report.note(
      "AddedKey", "The key \(quoted(key)) of \(quoted(type)) is added here.",
      at: program.position(of: range))
    addsKey = true
  }

  mutating func warnHidden(_ key: String, of type: String, _ other: Document.Field) {
    report.warning(
      "HiddenKey",
      "The key \(quoted(key)) of \(quoted(type)) cannot be added, since another field has this name here.",
      at: program.position(of: other.range), suggestion: "Choose another alias.")
  }

  private mutating func warnOmitted(
    _ objects: [String], of type: NamedType, at range: SourceRange
  ) {
    guard let first = objects.first, let key = keys[first].first else { return }
    let shown = objects.prefix(KeyCover.mostFragments).map { quoted($0) }.joined(separator: ", ")
    let others = objects.count - KeyCover.mostFragments
    let types = others == 1 ? "type" : "types"
    report.warning(
      "OmittedKeys",
      "Objects of \(shown) and \(others) other \(types) of \(quoted(type.name)) are stored as a part of the object around them, since their keys are not selected here.",
      at: program.position(of: range),
      suggestion: "Select the key of each type, as in `... on \(first) { \(key) }`.")
  }

  /// The name of an added fragment has to be free.
  private mutating func add(_ fragment: KeyFragment) {
    guard keyFragments.insert(fragment).inserted, let other = program.fragments[fragment.name]
    else { return }
    report.error(
      "ReservedFragmentName",
      "A fragment with the name \(quoted(fragment.name)) is added to what is sent, for the keys of objects.",
      at: program.position(of: other.nameRange), suggestion: "Rename this one.")
  }

  // MARK: Selected keys

  /// Whether every response with an object of the type has a field of its key under the field's own name.
  mutating func selects(_ key: String, _ set: Document.SelectionSet, on type: String) -> Bool {
    var visited: Set<String> = []
    return selects(key, set, on: type, &visited)
  }

  private mutating func selects(
    _ key: String, _ set: Document.SelectionSet, on type: String, _ visited: inout Set<String>
  ) -> Bool {
    for selection in set.selections where !selection.isConditional {
      switch selection {
      case .field(let field): if field.alias == nil, field.name == key { return true }
      case .inlineFragment(let fragment):
        let applies = fragment.typeCondition.map { schema.isSubtype(type, of: $0.name) } ?? true
        if applies, selects(key, fragment.selectionSet, on: type, &visited) { return true }
      case .fragmentSpread(let spread):
        guard let fragment = program.fragments[spread.name],
          visited.insert(spread.name).inserted,
          schema.isSubtype(type, of: fragment.typeCondition.name)
        else { continue }
        if adds(key, of: type, to: fragment)
          || selects(key, fragment.selectionSet, on: type, &visited)
        {
          return true
        }
      }
    }
    return false
  }

  /// Whether a field of the key of a type is added to a fragment.
  private mutating func adds(
    _ key: String, of type: String, to fragment: FragmentDefinition
  ) -> Bool {
    let own = keys[fragment.typeCondition.name]
    if !own.isEmpty { return own.contains(key) }
    guard keys[type].contains(key), case .object? = schema.type(named: type) else { return false }
    return keyPlan(of: fragment).completes(type)
  }

  // MARK: Hidden keys

  /// The first field with which a fragment cannot be merged.
  private func hidden(
    _ fragment: KeyFragment, by set: Document.SelectionSet, on type: NamedType
  ) -> KeyPlan.Hidden? {
    guard let owner = schema.type(named: fragment.type) else { return nil }
    for key in fragment.fields {
      guard let reference = schema.typeOfSelectableField(named: key, on: owner) else { continue }
      var visited: Set<String> = []
      if let field = otherField(key, reference, in: set, on: type, &visited) {
        return KeyPlan.Hidden(fragment: fragment, key: key, field: field)
      }
    }
    return nil
  }

  private func otherField(
    _ key: String, _ reference: TypeReference, in set: Document.SelectionSet, on type: NamedType,
    _ visited: inout Set<String>
  ) -> Document.Field? {
    for selection in set.selections {
      let (inner, name): (Document.SelectionSet, String)
      switch selection {
      case .field(let field):
        if field.responseName == key,
          field.name != key || !field.arguments.isEmpty
            || schema.typeOfSelectableField(named: key, on: type) != reference
        {
          return field
        }
        continue
      case .inlineFragment(let fragment):
        (inner, name) = (fragment.selectionSet, fragment.typeCondition?.name ?? type.name)
      case .fragmentSpread(let spread):
        guard let fragment = program.fragments[spread.name], visited.insert(spread.name).inserted
        else { continue }
        (inner, name) = (fragment.selectionSet, fragment.typeCondition.name)
      }
      if let condition = schema.type(named: name),
        let field = otherField(key, reference, in: inner, on: condition, &visited)
      {
        return field
      }
    }
    return nil
  }
}
