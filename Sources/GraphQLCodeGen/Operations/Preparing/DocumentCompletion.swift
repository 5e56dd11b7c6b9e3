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
  private var addsKey = false
  /// The definitions to which keys are added. Only these can conflict.
  private(set) var extended: Set<Definition> = []
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

  /// The operations and fragments of a document without those of faulty documents.
  mutating func complete(_ document: Document) -> [Document.Definition] {
    document.definitions.compactMap { definition in
      program.isFaulty(definition.range) ? nil : complete(definition)
    }
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
    fragment.selectionSet = complete(
      fragment.selectionSet,
      of: Place(
        type: type, range: fragment.nameRange, isWhole: true, neededKeys: keys[type.name]))
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
    for key in place.neededKeys where !selects(key, set, on: place.type) {
      if let other = set.otherField(called: key) {
        report.warning(
          "HiddenKey",
          "The key \(quoted(key)) of \(quoted(place.type.name)) cannot be added, since another field"
            + " has this name here.", at: program.position(of: other.range),
          suggestion: "Choose another alias.")
        continue
      }
      report.note(
        "AddedKey", "The key \(quoted(key)) of \(quoted(place.type.name)) is added here.",
        at: program.position(of: place.range))
      selections.append(.field(Document.Field(name: key)))
      addsKey = true
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
      field.selectionSet = complete(
        inner,
        of: Place(
          type: type, range: field.nameRange, isWhole: true, neededKeys: keys[type.name]))
      return .field(field)
    case .inlineFragment(var fragment):
      let condition = fragment.typeCondition
      let type = condition.flatMap { schema.type(named: $0.name) } ?? place.type
      if let condition { checkGenerated(type, at: condition.range) }
      // Objects of interfaces and unions may have keys of their own.
      let isNarrower = type.name != place.type.name
      let needed =
        isNarrower
        ? keys[type.name].filter { !place.neededKeys.contains($0) && !selects($0, set, on: type) }
        : []
      fragment.selectionSet = complete(
        fragment.selectionSet,
        of: Place(type: type, range: condition?.range ?? fragment.range, neededKeys: needed))
      return .inlineFragment(fragment)
    case .fragmentSpread: return selection
    }
  }

  /// Whether a set certainly selects a field of the key under its own name.
  private func selects(_ key: String, _ set: Document.SelectionSet, on type: NamedType) -> Bool {
    var visited: Set<String> = []
    return selects(key, set, on: type, &visited)
  }

  private func selects(
    _ key: String, _ set: Document.SelectionSet, on type: NamedType, _ visited: inout Set<String>
  ) -> Bool {
    set.selections.contains { selection in
      guard !selection.isConditional else { return false }
      switch selection {
      case .field(let field): return field.alias == nil && field.name == key
      case .inlineFragment(let fragment):
        let applies =
          fragment.typeCondition.map { schema.isSubtype(type.name, of: $0.name) } ?? true
        return applies && selects(key, fragment.selectionSet, on: type, &visited)
      case .fragmentSpread(let spread):
        guard let fragment = program.fragments[spread.name],
          visited.insert(spread.name).inserted
        else { return false }
        let condition = fragment.typeCondition.name
        // The key is added to a fragment on the type itself, or on an interface with that key.
        return schema.isSubtype(type.name, of: condition)
          && (keys[condition].contains(key)
            || selects(key, fragment.selectionSet, on: type, &visited))
      }
    }
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
