import GraphQLSchema

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
