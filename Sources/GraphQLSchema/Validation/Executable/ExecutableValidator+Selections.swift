/// Section 5.3, Fields.
extension ExecutableValidator {
  /// A selected field is defined on the type in scope (section 5.3.1).
  mutating func knownField(_ field: Document.Field, on parent: NamedType) -> FieldSignature? {
    if let signature = schema.signature(ofField: field.name, on: parent) { return signature }
    let schema = schema
    diagnostics.add(
      "KnownFields", "\(quoted(parent.name)) has no field \(quoted(field.name)).",
      at: field.nameRange,
      suggestion: schema.inlineFragmentSuggestion(field.name, on: parent)
        ?? didYouMean(field.name, among: parent.fields?.elements.map(\.name) ?? []))
    return nil
  }

  /// Scalars and enums have no selection set; all other types need one (section 5.3.3).
  mutating func leafField(_ field: Document.Field, _ type: NamedType) {
    if type.isLeafType, let selectionSet = field.selectionSet {
      diagnostics.add(
        "LeafFields",
        "\(quoted(field.name)) of type \(quoted(type.name)) cannot have a selection set.",
        at: selectionSet.range)
    } else if type.isCompositeType, field.selectionSet == nil {
      diagnostics.add(
        "LeafFields", "\(quoted(field.name)) of type \(quoted(type.name)) needs a selection set.",
        at: field.nameRange, suggestion: "Did you mean \(quoted("\(field.name) { … }"))?")
    }
  }

  /// Fields with one response name can be merged into one (section 5.3.2).
  mutating func fieldMerging() {
    var merging = FieldMerging(
      schema: schema, selections: selections, fragments: fragmentUses.map(\.selectionSet),
      maximumSteps: maximumSteps)
    merging.check(operationUses.map(\.selectionSet))
    merging.check(unspreadFragments().map { fragmentUses[$0].selectionSet })
    // The remaining fragments spread each other, or have the same names.
    merging.check(fragmentUses.map(\.selectionSet))
    for conflict in merging.conflicts {
      diagnostics.add(
        "FieldMerging", conflict.message, at: conflict.field.range,
        suggestion: "Use different aliases to select both.",
        notes: [("The other field is here.", conflict.other.range)])
    }
    if merging.isIncomplete {
      diagnostics.add(
        "TooComplex",
        "The fragments overlap in too many ways to check that all fields can be merged.",
        at: operations.first?.nameRange ?? .none)
    }
  }
}

extension ServiceSchema {
  /// The suggestion if not the abstract type but some of its possible types have the field.
  fileprivate func inlineFragmentSuggestion(_ field: String, on type: NamedType) -> String? {
    guard type.isAbstractType else { return nil }
    let owners = possibleTypes(of: type).lazy.filter { $0.fields.contains(name: field) }
      .prefix(3).map { quoted("... on \($0.name)") }
    guard let last = owners.last else { return nil }
    let others = owners.dropLast().joined(separator: ", ")
    return "Did you mean to select it in \(others.isEmpty ? "" : "\(others) or ")\(last)?"
  }
}

/// Section 5.5, Fragments.
extension ExecutableValidator {
  /// Fragments have different names (section 5.5.1.1).
  mutating func uniqueFragmentNames() {
    for (position, fragment) in fragments.enumerated() {
      guard let first = fragmentPositions[fragment.name], first != position else { continue }
      let firstRange = fragments[first].nameRange
      diagnostics.add(
        "UniqueFragmentNames", "There is more than one fragment \(quoted(fragment.name)).",
        at: fragment.nameRange, notes: [("It is first defined here.", firstRange)])
    }
  }

  /// A type condition names an existing type (section 5.5.1.2) with fields or possible types: an
  /// object, interface or union (section 5.5.1.3).
  mutating func compositeType(_ condition: TypeName) -> NamedType? {
    let type = schema.type(named: condition.name)
    if let type, type.isCompositeType { return type }
    let schema = schema
    func suggestion() -> String? {
      didYouMean(
        condition.name, among: schema.types.lazy.filter(\.isCompositeType).map(\.name))
    }
    if type == nil {
      diagnostics.add(
        "KnownTypes", "Unknown type \(quoted(condition.name)).", at: condition.range,
        suggestion: suggestion())
    } else {
      diagnostics.add(
        "FragmentsOnCompositeTypes",
        "A fragment cannot be on \(quoted(condition.name)), which is not an object, interface or "
          + "union type.",
        at: condition.range, suggestion: suggestion())
    }
    return nil
  }

  /// Every fragment is used by an operation, possibly through other fragments (section 5.5.1.4).
  mutating func usedFragments() {
    var isUsed = Array(repeating: false, count: fragments.count)
    var pending = operationUses.flatMap(\.spreads)
    while let spread = pending.popLast() {
      if isUsed[spread.fragment] { continue }
      isUsed[spread.fragment] = true
      pending += fragmentUses[spread.fragment].spreads
    }
    for (position, fragment) in fragments.enumerated()
    where !isUsed[position] && fragmentPositions[fragment.name] == position {
      diagnostics.add(
        "UsedFragments", "The fragment \(quoted(fragment.name)) is never used.",
        at: fragment.nameRange)
    }
  }

  /// A spread names a fragment of the document (section 5.5.2.1).
  mutating func knownFragment(_ spread: Document.FragmentSpread) -> Int? {
    if let position = fragmentPositions[spread.name] { return position }
    let fragments = fragments
    diagnostics.add(
      "KnownFragments", "Unknown fragment \(quoted(spread.name)).", at: spread.nameRange,
      suggestion: didYouMean(spread.name, among: fragments.lazy.map(\.name)))
    return nil
  }

  /// A fragment does not spread itself, directly or through others (section 5.5.2.2).
  mutating func fragmentCycles() {
    let graph = DirectedGraph(successors: fragmentUses.map { $0.spreads.map(\.fragment) })
    for component in graph.cyclicComponents() {
      let cycle = graph.cycle(in: component)
      let name = quoted(fragments[cycle[0]].name)
      let next = cycle.count > 1 ? cycle[1] : cycle[0]
      let spread = fragmentUses[cycle[0]].spreads.first { $0.fragment == next }
      let others = cycle.dropFirst().map { quoted(fragments[$0].name) }
      let through = others.isEmpty ? "" : " through \(others.prefix(5).joined(separator: ", "))"
      let more = others.count > 5 ? " and \(others.count - 5) more" : ""
      diagnostics.add(
        "FragmentCycles",
        "The fragment \(name) spreads itself\(through)\(more).",
        at: spread?.range ?? .none)
    }
  }

  /// Some object can have both the fragment's type and the enclosing one (section 5.5.2.3). If one
  /// of two types declares the other, they always fit.
  mutating func possibleFragment(
    on type: NamedType?, within parent: NamedType?, at range: SourceRange
  ) {
    guard let type, let parent, type.isCompositeType, type.name != parent.name else { return }
    let pair = TypePair(first: type.name, second: parent.name)
    let isPossible = overlaps[pair] ?? schema.overlap(type, parent)
    overlaps[pair] = isPossible
    if isPossible { return }
    diagnostics.add(
      "PossibleFragments",
      "A fragment on \(quoted(type.name)) never applies within \(quoted(parent.name)).",
      at: range)
  }

  /// The fragments that no definition spreads.
  func unspreadFragments() -> [Int] {
    let spread = Set((operationUses + fragmentUses).flatMap { $0.spreads.lazy.map(\.fragment) })
    return fragments.indices.filter { !spread.contains($0) }
  }
}

/// The names of two types, as a key for cached results.
struct TypePair: Hashable {
  let first: String
  let second: String
}

extension ServiceSchema {
  /// Whether an object can have both composite types.
  fileprivate func overlap(_ first: NamedType, _ second: NamedType) -> Bool {
    if isSubtype(first.name, of: second.name) || isSubtype(second.name, of: first.name) {
      return true
    }
    let names = Set(possibleTypes(of: first).lazy.map(\.name))
    return possibleTypes(of: second).contains { names.contains($0.name) }
  }
}

// Safe: `part` gives a pointer to an element that exists during the call.
extension ServiceSchema {
  /// The field for a selection's name: one of the type's own, or a meta-field (section 4):
  /// `__typename` on every composite type, `__schema` and `__type` on the query root.
  package func selectableField(named name: String, on type: NamedType) -> FieldDefinition? {
    if let field = type.fields?[name] { return field }
    guard name.hasPrefix("__"), type.isCompositeType else { return nil }
    if name == "__typename" { return MetaField.typename }
    return isQueryRoot(type) ? MetaField.ofQueryRoot[name] : nil
  }

  /// The type of `selectableField`, without a copy of the definition.
  package func typeOfSelectableField(named name: String, on type: NamedType) -> TypeReference? {
    if let fields = type.fields, let position = fields.position(of: name) {
      return unsafe fields.part(at: position) { unsafe $0.pointee.type }
    }
    return name.hasPrefix("__") ? selectableField(named: name, on: type)?.type : nil
  }

  /// The type and the arguments of `selectableField`, without a copy of the definition.
  func signature(ofField name: String, on type: NamedType) -> FieldSignature? {
    if let fields = type.fields, let position = fields.position(of: name) {
      return unsafe fields.part(at: position) {
        unsafe FieldSignature(type: $0.pointee.type, arguments: $0.pointee.arguments)
      }
    }
    return selectableField(named: name, on: type).map {
      FieldSignature(type: $0.type, arguments: $0.arguments)
    }
  }

  private func isQueryRoot(_ type: NamedType) -> Bool {
    definition.operationTypes.contains {
      $0.operationType == .query && $0.type.name == type.name
    }
  }
}

/// The parts of a definition of a field that the rules need: a copy of all of it counts a dozen references.
struct FieldSignature {
  let type: TypeReference
  let arguments: NamedList<InputValueDefinition>
}

/// Fields that every schema has without listing them (sections 4.1 and 4.2).
private enum MetaField {
  static let typename = FieldDefinition(name: "__typename", type: .nonNull(.named("String")))

  static let ofQueryRoot: NamedList<FieldDefinition> = [
    FieldDefinition(name: "__schema", type: .nonNull(.named("__Schema"))),
    FieldDefinition(
      name: "__type",
      arguments: [InputValueDefinition(name: "name", type: .nonNull(.named("String")))],
      type: .named("__Type")),
  ]
}
