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

/// Section 5.8, Variables.
extension ExecutableValidator {
  /// An operation's variables have different names (section 5.8.1).
  mutating func uniqueVariables(_ operation: OperationDefinition) {
    var firsts: [String: SourceRange] = [:]
    for variable in operation.variables {
      guard let first = firsts[variable.name] else {
        firsts[variable.name] = variable.nameRange
        continue
      }
      diagnostics.add(
        "UniqueVariables",
        "There is more than one variable \(quoted("$" + variable.name)) in this operation.",
        at: variable.nameRange, notes: [("It is first defined here.", first)])
    }
  }

  /// A variable's type exists and is an input type (section 5.8.2).
  mutating func variableInputType(_ variable: VariableDefinition) {
    let name = variable.type.namedType
    let type = schema.type(named: name)
    if let type, type.isInputType { return }
    let schema = schema
    func suggestion() -> String? {
      let types = schema.types.elements + BuiltIn.types.elements
      return didYouMean(name, among: types.lazy.filter(\.isInputType).map(\.name))
    }
    if type == nil {
      diagnostics.add(
        "KnownTypes", "Unknown type \(quoted(name)).", at: variable.typeRange,
        suggestion: suggestion())
    } else {
      diagnostics.add(
        "VariableInputTypes",
        "The variable \(quoted("$" + variable.name)) cannot have the type "
          + "\(quoted(variable.type.description)), which is not an input type.",
        at: variable.typeRange, suggestion: suggestion())
    }
  }

  /// The rules about an operation's variables and their usages in it and in all its fragments.
  mutating func variablesOfOperations() {
    var steps = 0
    for (operation, uses) in zip(operations, operationUses) {
      var usages: [VariableUsage] = []
      for uses in usesIncludingFragments(uses) {
        usages += uses.variables
        steps += 1 + uses.spreads.count
      }
      steps += usages.count
      if steps > maximumSteps {
        diagnostics.add(
          "TooComplex", "The operations share too many fragments to check all their variables.",
          at: operation.nameRange)
        return
      }
      let variables = NamedList(operation.variables)
      for usage in usages {
        if let variable = variables[usage.name] {
          allowedUsage(usage, of: variable)
        } else {
          undefinedVariable(usage, in: operation)
        }
      }
      usedVariables(operation, usages)
    }
  }

  /// A variable is defined by every operation that uses it (section 5.8.3).
  private mutating func undefinedVariable(
    _ usage: VariableUsage, in operation: OperationDefinition
  ) {
    diagnostics.add(
      "KnownVariables",
      "The variable \(quoted("$" + usage.name)) is not defined by \(operation.phrase).",
      at: usage.range,
      suggestion: didYouMean(
        "$" + usage.name, among: operation.variables.lazy.map { "$" + $0.name })
        ?? usage.requiredType.map { "Define it: ($\(usage.name): \($0))." },
      notes: [("The operation is here.", operation.nameRange)])
  }

  /// Every variable is used by the operation or one of its fragments (section 5.8.4).
  private mutating func usedVariables(_ operation: OperationDefinition, _ usages: [VariableUsage]) {
    if operation.variables.isEmpty { return }
    let used = Set(usages.lazy.map(\.name))
    for variable in operation.variables where !used.contains(variable.name) {
      diagnostics.add(
        "UsedVariables",
        "The variable \(quoted("$" + variable.name)) is never used by \(operation.phrase).",
        at: variable.nameRange)
    }
  }

  /// A variable's values fit its positions (section 5.8.5 IsVariableUsageAllowed).
  private mutating func allowedUsage(_ usage: VariableUsage, of variable: VariableDefinition) {
    guard let expected = usage.type, schema.namedType(of: variable.type)?.isInputType == true else {
      return
    }
    var locationType = expected
    var isNullAllowed = true
    if expected.isNonNull || usage.isOneOfField, !variable.type.isNonNull {
      let hasDefault = variable.defaultValue.map { !$0.isNull } ?? false
      isNullAllowed = hasDefault || usage.hasLocationDefault
      locationType = expected.nullable
    }
    let isCompatible = variable.type.isCompatible(with: locationType)
    if isCompatible, isNullAllowed { return }
    let place =
      usage.isOneOfField && isCompatible
      ? "for a field of a OneOf input object, which cannot be null"
      : "where \(quoted(expected.description)) is expected"
    diagnostics.add(
      "VariableUsages",
      "The variable \(quoted("$" + variable.name)) of type \(quoted(variable.type.description)) is "
        + "used \(place).",
      at: usage.range,
      suggestion: (isCompatible ? variable.type.required : usage.requiredType).map {
        "Its type could be \(quoted($0.description))."
      },
      notes: [("The variable is defined here.", variable.range)])
  }

  /// The usages of a definition, and of all fragments that it spreads directly or through others.
  private func usesIncludingFragments(_ uses: DefinitionUses) -> [DefinitionUses] {
    var result = [uses]
    var visited: Set<Int> = []
    var position = 0
    while position < result.count {
      for spread in result[position].spreads where visited.insert(spread.fragment).inserted {
        result.append(fragmentUses[spread.fragment])
      }
      position += 1
    }
    return result
  }
}

extension VariableUsage {
  /// A type with which a variable without a default value can be used there.
  fileprivate var requiredType: TypeReference? { isOneOfField ? type?.required : type }
}

extension TypeReference {
  fileprivate var required: TypeReference? { isNonNull ? self : .nonNull(self) }

  /// Whether every value of this variable type is allowed where the other type is expected (section
  /// 5.8.5 AreTypesCompatible).
  fileprivate func isCompatible(with location: TypeReference) -> Bool {
    switch (self, location) {
    case (.nonNull(let type), .nonNull(let location)): type.isCompatible(with: location)
    case (_, .nonNull): false
    case (.nonNull(let type), _): type.isCompatible(with: location)
    case (.list(let item), .list(let locationItem)): item.isCompatible(with: locationItem)
    case (.named(let name), .named(let locationName)): name == locationName
    case (.list, .named), (.named, .list): false
    }
  }
}

extension OperationDefinition {
  /// The operation as messages show it.
  fileprivate var phrase: String {
    "the \(operationType.rawValue)\(name.map { " \(quoted($0))" } ?? "")"
  }
}

/// Section 5.6, Values; those of arguments are checked with them.
extension ExecutableValidator {
  /// A default value has the variable's type (section 5.6.1).
  mutating func defaultValue(_ value: Document.Value, of variable: VariableDefinition) {
    var checker = ValueChecker(schema: schema)
    checker.check(value, as: variable.type)
    for problem in checker.problems {
      diagnostics.add(
        "DefaultValues",
        "The default value of \(quoted("$" + variable.name)) is invalid: " + problem.message,
        at: problem.range, suggestion: problem.suggestion())
    }
  }

  /// An input field is given once, also in a value for a custom scalar (section 5.6.3).
  mutating func uniqueUntypedFields(_ fields: [Document.ObjectField]) {
    var names: Set<String> = []
    for field in fields where !names.insert(field.name).inserted {
      diagnostics.add(
        "UniqueInputFields", "The input field \(quoted(field.name)) is given more than once.",
        at: field.nameRange)
    }
  }
}

/// The rules about `@defer` and `@stream`, of the draft of the specification about incremental delivery.
///
/// They only apply if the schema defines the directives: the specification of September 2025 has neither.
extension ExecutableValidator {
  /// A label is a literal, since it identifies a part of the response, and no two are equal.
  mutating func incrementalLabel(_ directive: Document.Directive) {
    guard let label = directive.argument("label") else { return }
    switch label.kind {
    case .null: return
    case .string(let text):
      guard let first = labels[text] else {
        labels[text] = label.range
        return
      }
      if isSentTogether { equalLabels(text, label.range, first) } else { hasEqualLabels = true }
    default:
      diagnostics.add(
        "IncrementalLabels",
        "The label of \(quoted("@" + directive.name)) must be a string without variables.",
        at: label.range)
    }
  }

  /// A field with `@stream` has a list type.
  mutating func streamedList(_ field: Document.Field, _ definition: FieldSignature) {
    guard incremental.hasStream,
      let stream = field.directives.first(where: { $0.name == "stream" }),
      definition.type.itemType == nil
    else { return }
    diagnostics.add(
      "StreamedLists",
      "\(quoted(field.name)) of type \(quoted(definition.type.description)) is not a list, so "
        + "\"@stream\" cannot be applied.", at: stream.range)
  }

  /// The root fields of mutations and subscriptions are neither deferred nor streamed.
  mutating func rootFieldsInOnePart() {
    var visited: Set<Int> = []
    for operation in operations where operation.operationType != .query {
      for directive in incrementalDirectives(
        .all, in: operation.selectionSet, nested: false, visited: &visited)
      {
        diagnostics.add(
          "IncrementalRootFields",
          "\(quoted("@" + directive.name)) cannot be applied at the root of a "
            + "\(operation.operationType.rawValue).", at: directive.range)
      }
    }
  }

  /// In a subscription, `@defer` and `@stream` can be switched off: their argument `if` is false or
  /// a variable, or `@skip` or `@include` can leave out their selection.
  mutating func subscriptionsInOnePart() {
    var visited: Set<Int> = []
    for operation in operations where operation.operationType == .subscription {
      for directive in incrementalDirectives(
        .unconditional, in: operation.selectionSet, nested: true, visited: &visited)
      where !directive.canBeOff {
        diagnostics.add(
          "IncrementalSubscriptions",
          "\(quoted("@" + directive.name)) cannot be applied in a subscription.",
          at: directive.range, suggestion: "Did you mean \"if: false\"?")
      }
    }
  }

  /// No two labels in an operation and its fragments are equal. Operations that are sent alone may share a label.
  mutating func labelsOfOperations() {
    guard hasEqualLabels else { return }
    var reported: Set<SourceRange> = []
    for operation in operations {
      var visited: Set<Int> = []
      var firsts: [String: SourceRange] = [:]
      let labels = incrementalDirectives(
        .all, in: operation.selectionSet, nested: true, visited: &visited
      ).compactMap { $0.argument("label") }
      for label in labels.sorted(by: {
        ($0.range.source, $0.range.start) < ($1.range.source, $1.range.start)
      }) {
        guard case .string(let text) = label.kind else { continue }
        guard let first = firsts[text] else {
          firsts[text] = label.range
          continue
        }
        if reported.insert(label.range).inserted { equalLabels(text, label.range, first) }
      }
    }
  }

  private mutating func equalLabels(_ text: String, _ range: SourceRange, _ first: SourceRange) {
    diagnostics.add(
      "IncrementalLabels",
      "More than one \"@defer\" or \"@stream\" has the label \(quoted(text)).", at: range,
      notes: [("It is first given here.", first)])
  }

  private enum SearchedSelections {
    case all
    /// Those that neither `@skip` nor `@include` can leave out.
    case unconditional
  }

  /// The applied `@defer` and `@stream` of a selection set and of the fragments that it spreads.
  ///
  /// - Parameters:
  ///   - selections: Which selections are searched.
  ///   - nested: Whether to include those of the fields' own selection sets.
  ///   - visited: The fragments that were already visited, which are left out.
  private func incrementalDirectives(
    _ selections: SearchedSelections, in selectionSet: Document.SelectionSet, nested: Bool,
    visited: inout Set<Int>
  ) -> [Document.Directive] {
    var found: [Document.Directive] = []
    var pending = [selectionSet]
    while let next = pending.popLast() {
      for selection in next.selections where selections == .all || !selection.canBeLeftOut {
        found += selection.directives.filter(incremental.contains)
        switch selection {
        case .field(let field):
          if nested, let selectionSet = field.selectionSet { pending.append(selectionSet) }
        case .inlineFragment(let fragment): pending.append(fragment.selectionSet)
        case .fragmentSpread(let spread):
          guard let position = fragmentPositions[spread.name], visited.insert(position).inserted
          else { continue }
          pending.append(fragments[position].selectionSet)
        }
      }
    }
    return found
  }
}

/// Which directives of incremental delivery a schema defines.
struct IncrementalDirectives {
  let hasDefer: Bool
  let hasStream: Bool

  init(_ schema: ServiceSchema) {
    // A directive with another meaning may have the name, but hardly these arguments.
    func defines(_ name: String) -> Bool {
      guard let arguments = schema.directives[name]?.arguments else { return false }
      return arguments["if"]?.type.namedType == "Boolean"
        && arguments["label"]?.type.namedType == "String"
    }
    hasDefer = defines("defer")
    hasStream = defines("stream")
  }

  func contains(_ directive: Document.Directive) -> Bool {
    switch directive.name {
    case "defer": hasDefer
    case "stream": hasStream
    default: false
    }
  }
}

extension Document.Directive {
  /// Whether the argument `if` is false or a variable.
  fileprivate var canBeOff: Bool {
    switch argument("if")?.kind {
    case .boolean(false), .variable: true
    default: false
    }
  }
}

extension Document.Selection {
  /// Whether `@skip` or `@include` leaves it out, always or for some values of variables.
  fileprivate var canBeLeftOut: Bool {
    directives.contains { directive in
      switch (directive.name, directive.argument("if")?.kind) {
      case ("skip", .boolean(true)), ("skip", .variable): true
      case ("include", .boolean(false)), ("include", .variable): true
      default: false
      }
    }
  }
}
