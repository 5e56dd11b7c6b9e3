#if !ONE_MODULE
  import GraphQLSchema
#endif

/// Adds what the library needs to a document: the name of the type wherever it is not certain, and the
/// keys with which the store finds objects.
///
/// Added fields have no position in a source, and no accessor is generated for them. A key that is
/// added is reported, since it makes responses larger.
struct DocumentCompletion {
  let schema: ServiceSchema
  let keys: TypeKeys
  let program: ProgramDocuments
  /// The part of the schema that is generated; nil if it is all of it.
  let selected: SelectedSchema?
  var report = Report()
  /// Whether a field of the current definition has the name of a key and is another one, so that an added key may
  /// conflict with it.
  private var mayConflict = false
  /// The definitions with such a field.
  private(set) var suspects: Set<Definition> = []
  /// Whether a key is added to the current definition.
  var addsKey = false
  /// The definitions to which keys are added. Only these can conflict.
  private(set) var extended: Set<Definition> = []
  /// The fragments with keys that are added to the current document.
  var keyFragments: Set<KeyFragment> = []
  /// How fragments on interfaces and unions get the keys of objects.
  var fragmentPlans: [String: KeyPlan] = [:]
  /// Objects whose key is still to be added to a type condition of the current set.
  private var awaiting: Set<String> = []

  enum Definition: Hashable {
    case operation(String?)
    case fragment(String)

    var isFragment: Bool { if case .fragment = self { true } else { false } }
  }

  private let keyTypes: [String: Set<String>]
  /// Whether keys with the same name have different types, and may conflict with each other.
  private let keysDiffer: Bool

  init(
    schema: ServiceSchema, selected: SelectedSchema, isWhole: Bool, configuration: Configuration,
    program: ProgramDocuments
  ) {
    self.schema = schema
    keys = TypeKeys(schema: selected, configuration: configuration)
    keyTypes = keys.fieldTypes
    keysDiffer = keyTypes.values.contains { $0.count > 1 }
    self.program = program
    self.selected = isWhole ? nil : selected
  }

  /// The operations and fragments of a document without those of faulty documents; then the fragments that are added.
  mutating func complete(_ document: Document) -> [Document.Definition] {
    keyFragments = []
    let definitions = document.definitions.compactMap { definition in
      program.isFaulty(definition.range) ? nil : complete(definition)
    }
    return definitions
      + keyFragments.sorted { $0.name < $1.name }.map { .fragment($0.definition) }
  }

  mutating func complete(_ definition: Document.Definition) -> Document.Definition {
    switch definition {
    case .operation(let operation): .operation(complete(operation))
    case .fragment(let fragment): .fragment(complete(fragment))
    default: definition
    }
  }

  /// Adds the findings about other documents.
  mutating func add(_ other: DocumentCompletion) {
    report.append(other.report)
    suspects.formUnion(other.suspects)
    extended.formUnion(other.extended)
  }

  private mutating func complete(_ operation: OperationDefinition) -> OperationDefinition {
    guard let root = schema.rootType(for: operation.operationType) else { return operation }
    var operation = operation
    mayConflict = keysDiffer
    addsKey = false
    operation.selectionSet = complete(
      operation.selectionSet, of: Place(type: .object(root), range: operation.nameRange))
    if mayConflict { suspects.insert(.operation(operation.name)) }
    if addsKey { extended.insert(.operation(operation.name)) }
    return operation
  }

  mutating func complete(_ fragment: FragmentDefinition) -> FragmentDefinition {
    guard let type = schema.type(named: fragment.typeCondition.name) else { return fragment }
    checkGenerated(type, at: fragment.typeCondition.range)
    var fragment = fragment
    mayConflict = keysDiffer
    addsKey = false
    fragment.selectionSet = completeWhole(fragment.selectionSet, of: type, at: fragment.nameRange)
    if mayConflict { suspects.insert(.fragment(fragment.name)) }
    if addsKey { extended.insert(.fragment(fragment.name)) }
    return fragment
  }

  /// Where a selection set is.
  private struct Place {
    let type: NamedType
    /// The place that a note about the set shows.
    let range: SourceRange
    /// Whether the set is that of a field or of a fragment definition: all of what is selected there.
    var isWhole = false
    var neededKeys: [String] = []
  }

  /// Completes the set of a field or of a fragment definition.
  private mutating func completeWhole(
    _ set: Document.SelectionSet, of type: NamedType, at range: SourceRange
  ) -> Document.SelectionSet {
    let key = keys[type.name]
    let plan = key.isEmpty && type.isAbstractType ? keyPlan(of: set, on: type) : KeyPlan()
    let outer = awaiting
    awaiting = plan.conditioned
    defer { awaiting = outer }
    var completed = complete(
      set, of: Place(type: type, range: range, isWhole: true, neededKeys: key))
    completed.selections += added(by: plan, on: type, at: range)
    return completed
  }

  private mutating func complete(
    _ set: Document.SelectionSet, of place: Place
  ) -> Document.SelectionSet {
    var selections: [Document.Selection] = []
    selections.reserveCapacity(set.selections.count + 2)
    if place.isWhole, place.type.isAbstractType, !set.selections.contains(where: \.isTypename) {
      selections.append(.field(Document.Field(name: "__typename")))
    }
    for selection in set.selections {
      selections.append(complete(selection, in: set, of: place))
    }
    for key in place.neededKeys where !selects(key, set, on: place.type.name) {
      if let other = set.otherField(called: key) {
        warnHidden(key, of: place.type.name, other)
        continue
      }
      noteAdded(key, of: place.type.name, at: place.range)
      selections.append(.field(Document.Field(name: key)))
    }
    return Document.SelectionSet(selections, range: set.range)
  }

  private mutating func complete(
    _ selection: Document.Selection, in set: Document.SelectionSet, of place: Place
  ) -> Document.Selection {
    switch selection {
    case .field(var field):
      let reference = schema.typeOfSelectableField(named: field.name, on: place.type)
      check(field, on: place.type)
      if let types = keyTypes[field.responseName],
        field.name != field.responseName || !field.arguments.isEmpty
          || reference.map({ !types.contains($0.description) }) ?? true
      {
        mayConflict = true
      }
      guard let inner = field.selectionSet,
        let type = reference.flatMap({ schema.namedType(of: $0) })
      else { return selection }
      field.selectionSet = completeWhole(inner, of: type, at: field.nameRange)
      return .field(field)
    case .inlineFragment(var fragment):
      let condition = fragment.typeCondition
      let type = condition.flatMap { schema.type(named: $0.name) } ?? place.type
      if let condition { checkGenerated(type, at: condition.range) }
      let (needed, outer, given) = takeAwaiting(for: fragment, in: set, selection.isConditional)
      fragment.selectionSet = complete(
        fragment.selectionSet,
        of: Place(type: type, range: condition?.range ?? fragment.range, neededKeys: needed))
      awaiting.formUnion(outer.subtracting(given))
      return .inlineFragment(fragment)
    case .fragmentSpread: return selection
    }
  }

  /// The key that a fragment gets. Until it is completed, only the objects to which it applies are awaiting theirs.
  ///
  /// - Returns: also the objects that were awaiting their keys, and those of them to which the fragment applies.
  private mutating func takeAwaiting(
    for fragment: Document.InlineFragment, in set: Document.SelectionSet, _ isConditional: Bool
  ) -> (needed: [String], outer: Set<String>, given: Set<String>) {
    let outer = awaiting
    // A part that may be left out or come later has no key: the object is stored before or without it.
    if isConditional { awaiting = [] }
    guard let type = fragment.typeCondition?.name else { return ([], outer, awaiting) }
    let given = awaiting.filter { schema.isSubtype($0, of: type) }
    let key = keys[type]
    awaiting = given.filter { keys[$0] != key }
    if awaiting.count == given.count { return ([], outer, given) }
    return (key.filter { !selects($0, set, on: type) }, outer, given)
  }

  /// Introspection is not part of the generated schema, and a field may have been left out of it.
  private mutating func check(_ field: Document.Field, on type: NamedType) {
    if field.alias == "__typename" {
      report.error(
        "ReservedAlias", "A field cannot be called \"__typename\", which is the name of the type.",
        at: program.position(of: field.range), suggestion: "Choose another alias.")
    }
    if field.name == "__schema" || field.name == "__type" {
      report.error(
        "IntrospectionField",
        "No code can be generated for the introspection field \(quoted(field.name)).",
        at: program.position(of: field.nameRange))
    } else if let selected, field.name != "__typename", let known = selected.typesByName[type.name],
      known.fields?.contains(name: field.name) != true
    {
      report.error(
        "NotGenerated",
        "The configuration leaves out the field \"\(type.name).\(field.name)\".",
        at: program.position(of: field.nameRange), suggestion: "Change `allow` or `deny`.")
    }
  }

  private mutating func checkGenerated(_ type: NamedType, at range: SourceRange) {
    guard let selected, selected.kinds[type.name] == nil else { return }
    report.error(
      "NotGenerated", "The configuration leaves out the type \(quoted(type.name)).",
      at: program.position(of: range), suggestion: "Change `allow` or `deny`.")
  }
}

extension Document.Selection {
  /// Whether it may be left out of a response, or comes later.
  var isConditional: Bool {
    directives.contains { $0.name == "include" || $0.name == "skip" || $0.name == "defer" }
  }

  /// Whether it certainly selects the name of the type under its own name.
  fileprivate var isTypename: Bool {
    guard case .field(let field) = self, field.name == "__typename" else { return false }
    return field.alias == nil && !isConditional
  }
}

extension Document.SelectionSet {
  /// A field with another name whose value arrives under this one.
  fileprivate func otherField(called name: String) -> Document.Field? {
    for selection in selections {
      switch selection {
      case .field(let field):
        if field.responseName == name, field.name != name { return field }
      case .inlineFragment(let fragment):
        if let field = fragment.selectionSet.otherField(called: name) { return field }
      case .fragmentSpread: continue
      }
    }
    return nil
  }
}

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

/// The fields that identify the objects of a type, as in the schema table.
struct TypeKeys {
  private let schema: SelectedSchema
  private let policies: [String: Located<TypePolicy>]
  /// The fields of the key of each object type, and of each interface whose objects have one key in common with fields
  /// that the interface has.
  private var keys: [String: [String]] = [:]

  init(schema: SelectedSchema, configuration: Configuration) {
    self.schema = schema
    policies = configuration.types
    var keysOfObjects: [String: Set<[String]>] = [:]
    var incomplete: Set<String> = []
    for case .object(let object) in schema.typesByName.values {
      let key = key(of: object)
      if !key.isEmpty { keys[object.name] = key }
      for interface in object.interfaces {
        keysOfObjects[interface.name, default: []].insert(key)
        if !has(key, of: object, interface.name) { incomplete.insert(interface.name) }
      }
    }
    for (name, keys) in keysOfObjects where !incomplete.contains(name) {
      if keys.count == 1, let key = keys.first { self.keys[name] = key }
    }
  }

  /// Whether an interface has the fields of an object's key. With another type, they could not be merged with those of
  /// the object.
  private func has(_ key: [String], of object: ObjectType, _ interface: String) -> Bool {
    let fields = schema.typesByName[interface]?.fields
    return key.allSatisfy { name in
      fields?[name].map { $0.type == object.fields[name]?.type } ?? false
    }
  }

  /// The fragments of those spreads that were added to documents.
  func fragments(addedBy spreads: [Document.FragmentSpread]) -> [KeyFragment] {
    let names = Set(spreads.lazy.filter { !$0.range.isKnown }.map(\.name))
    if names.isEmpty { return [] }
    let all = Set(keys.keys.flatMap(fragments(of:)))
    return all.filter { names.contains($0.name) }.sorted { $0.name < $1.name }
  }

  /// The fragments with the key of an object type: its own, then those of its interfaces in alphabetical order.
  func fragments(of name: String) -> [KeyFragment] {
    guard case .object(let object)? = schema.typesByName[name] else { return [] }
    let key = self[name]
    let interfaces = object.interfaces.map(\.name).filter { has(key, of: object, $0) }
    return ([name] + interfaces.sorted()).map { KeyFragment(type: $0, fields: key) }
  }

  /// For each name of a field in a key, the types that such fields have.
  var fieldTypes: [String: Set<String>] {
    var types: [String: Set<String>] = ["id": ["ID!"]]
    for (type, policy) in policies {
      for name in policy.value.key ?? [] {
        guard let field = schema.typesByName[type]?.fields?[name] else { continue }
        types[name, default: []].insert(field.type.description)
      }
    }
    return types
  }

  /// The fields of the key of an object type, or of all objects of an interface; empty if there is none.
  subscript(type: String) -> [String] { keys[type] ?? [] }

  private func key(of object: ObjectType) -> [String] {
    policies[object.name]?.value.key ?? (object.hasDefaultKey ? ["id"] : [])
  }
}

/// How a selection set of an interface or union gets the keys of its objects.
struct KeyPlan {
  /// Fragments that are added to the set.
  var fragments: [KeyFragment] = []
  /// Objects whose key is added to a type condition of the set.
  var conditioned: Set<String> = []
  /// Objects whose key is not added, since too many fragments would be needed, in the order of the schema.
  var omitted: [String] = []
  /// Fragments that cannot be added, since another field has the name of a key.
  var hidden: [Hidden] = []
  /// The objects that lack a key because of that.
  var hiddenObjects: Set<String> = []

  struct Hidden {
    let fragment: KeyFragment
    let key: String
    let field: Document.Field
  }

  /// Whether the completed set has the key of an object of its type.
  func completes(_ object: String) -> Bool {
    !hiddenObjects.contains(object) && !omitted.contains(object)
  }
}

/// The fewest fragments that have the keys of some objects.
struct KeyCover {
  /// For each object, the fragments that have its key; its own is the first one.
  private let fragments: [String: [KeyFragment]]

  /// The most fragments that are added to one set. Each makes requests longer.
  static let mostFragments = 4

  init(of objects: [String], _ keys: TypeKeys) {
    fragments = Dictionary(
      objects.map { ($0, keys.fragments(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: nil if more fragments are needed than may be added.
  func smallest(of objects: [String]) -> [KeyFragment]? {
    for count in 0...Self.mostFragments {
      if let found = cover(of: objects, count) { return found }
    }
    return nil
  }

  private func cover(of objects: [String], _ count: Int) -> [KeyFragment]? {
    guard let first = objects.first else { return [] }
    guard count > 0 else { return nil }
    for (fragment, others) in choices(for: first, objects) {
      if let rest = cover(of: others, count - 1) { return [fragment] + rest }
    }
    return nil
  }

  /// The fragments with the key of an object, and the objects whose keys each lacks. One with few comes first, and one
  /// that has no more keys than another is left out.
  private func choices(
    for object: String, _ objects: [String]
  ) -> [(fragment: KeyFragment, others: [String])] {
    let all = (fragments[object] ?? []).map { fragment in
      (fragment: fragment, others: objects.filter { !has(fragment, $0) })
    }
    let order = all.indices.sorted {
      (all[$0].others.count, $0) < (all[$1].others.count, $1)
    }
    var choices: [(fragment: KeyFragment, others: [String])] = []
    for index in order where !choices.contains(where: { $0.others.isSubset(of: all[index].others) })
    {
      choices.append(all[index])
    }
    return choices
  }

  func has(_ fragment: KeyFragment, _ object: String) -> Bool {
    fragments[object]?.contains(fragment) ?? false
  }
}

extension [String] {
  fileprivate func isSubset(of other: [String]) -> Bool { Set(self).isSubset(of: other) }
}

/// A fragment that is added to documents, with the key of objects whose interface or union does not have it.
///
/// A type condition would be one of the struct's cases, with all fields around it.
struct KeyFragment: Hashable {
  let type: String
  let fields: [String]

  /// The same in all modules, so no other fragment may have it.
  var name: String {
    // Names in the schema may contain the separator.
    "_" + ([type] + fields).map { $0.replacing("_", with: "__") }.joined(separator: "_")
  }

  var definition: FragmentDefinition {
    FragmentDefinition(
      name: name, typeCondition: TypeName(type),
      selectionSet: Document.SelectionSet(fields.map { .field(Document.Field(name: $0)) }))
  }
}
