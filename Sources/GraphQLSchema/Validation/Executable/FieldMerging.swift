/// Finds fields that have the same response name but cannot be merged into one (section 5.3.2
/// FieldsInSetCanMerge).
///
/// The specification compares all pairs of fields, and merges the selection sets of each pair.
/// Here, all fields with a response name are compared with one of them, and all their selection
/// sets are merged at once. This finds the same conflicts, in time that grows with the document. A
/// merged set is the list of its selection sets. Each is checked once, however many fields lead to
/// it. Pending sets are queued in a list, so that nesting needs no recursion.
///
/// The number of merged sets can still grow exponentially if fragments overlap in many combinations.
/// After `maximumSteps`, the rest is not checked and `isIncomplete` is set.
struct FieldMerging {
  struct Conflict {
    let field: SelectionGraph.FieldUse
    let other: SelectionGraph.FieldUse
    let message: String
  }

  /// The properties that must be equal for the fields of a merged set.
  private enum Extent {
    /// Only the shape of their values: the enclosing fields belong to different object types, so at
    /// most one of them is executed.
    case shape
    case all
  }

  private struct FieldPair: Hashable {
    let first: Int
    let second: Int
  }

  let schema: ServiceSchema
  let selections: SelectionGraph
  /// The selection set of each fragment.
  let fragments: [Int]
  let maximumSteps: Int

  private(set) var conflicts: [Conflict] = []
  private(set) var isIncomplete = false
  private var steps = 0
  private var isVisited: [Bool]
  private var extents: [[Int]: Extent] = [:]
  /// Those of sets that are merged with no other one, as most.
  private var ownExtents: [Extent?]
  private var pending: [(selectionSets: [Int], extent: Extent)] = []
  private var reported: Set<FieldPair> = []

  init(schema: ServiceSchema, selections: SelectionGraph, fragments: [Int], maximumSteps: Int) {
    self.schema = schema
    self.selections = selections
    self.fragments = fragments
    self.maximumSteps = maximumSteps
    isVisited = Array(repeating: false, count: selections.selectionSets.count)
    ownExtents = Array(repeating: nil, count: selections.selectionSets.count)
  }

  /// Checks selection sets that did not occur within another one.
  mutating func check(_ selectionSets: [Int]) {
    for selectionSet in selectionSets where !isVisited[selectionSet] {
      enqueue([selectionSet], .all)
      while steps <= maximumSteps, let next = pending.popLast() {
        check(next.selectionSets, next.extent)
      }
    }
    isIncomplete = steps > maximumSteps
  }

  /// Checks one merged set.
  private mutating func check(_ selectionSets: [Int], _ extent: Extent) {
    var collected = selectionSets.flatMap { selections.selectionSets[$0].fields }
    steps += collected.count
    guard collected.count > 1 else {
      if let field = collected.first { enqueue(children(of: [field]), extent) }
      return
    }
    collected.sort {
      (selections.fields[$0].responseName, selections.fields[$0].range.start, $0)
        < (selections.fields[$1].responseName, selections.fields[$1].range.start, $1)
    }
    var start = 0
    while start < collected.count {
      let responseName = selections.fields[collected[start]].responseName
      var end = start + 1
      while end < collected.count, selections.fields[collected[end]].responseName == responseName {
        end += 1
      }
      check(collected[start..<end], extent)
      start = end
    }
  }

  /// Checks the fields with one response name, and enqueues their merged selection sets.
  private mutating func check(_ fields: ArraySlice<Int>, _ extent: Extent) {
    guard fields.count > 1 else { return enqueue(children(of: fields), extent) }
    guard areNotStreamed(fields) else { return }
    guard extent == .all else {
      if haveSameShape(fields) { enqueue(children(of: fields), .shape) }
      return
    }
    // Fields of interfaces and unions can coincide with those of any object type. Fields of two
    // object types never coincide, but their values still need the same shape.
    let (groups, shared) = fieldsByParent(fields)
    var areSame = true
    if let first = shared.first {
      areSame = areSameField(fields, as: first)
    } else {
      for group in groups where !areSameField(group[...], as: group[0]) { areSame = false }
    }
    guard areSame, haveSameShape(fields) else { return }
    let sharedChildren = children(of: shared)
    if groups.isEmpty { enqueue(sharedChildren, .all) }
    for group in groups { enqueue(sharedChildren + children(of: group), .all) }
    if groups.count > 1 { enqueue(children(of: fields), .shape) }
  }

  /// The fields of each object type, and those of interfaces, unions and unknown types.
  private func fieldsByParent(_ fields: ArraySlice<Int>) -> (groups: [[Int]], shared: [Int]) {
    // Most fields that are merged are those of one object type.
    if let first = fields.first.map({ selections.fields[$0] }), first.isParentObject,
      fields.allSatisfy({ selections.fields[$0].parent == first.parent })
    {
      return ([Array(fields)], [])
    }
    var shared: [Int] = []
    var groups: [[Int]] = []
    var positions: [String: Int] = [:]
    for field in fields {
      guard selections.fields[field].isParentObject, let parent = selections.fields[field].parent
      else {
        shared.append(field)
        continue
      }
      if let position = positions[parent] {
        groups[position].append(field)
      } else {
        positions[parent] = groups.count
        groups.append([field])
      }
    }
    return (groups, shared)
  }

  /// None of the fields has `@stream`: a list is delivered in the parts of one selection. The draft on incremental
  /// delivery allows equal `@stream`, which graphql-js refuses.
  private mutating func areNotStreamed(_ fields: ArraySlice<Int>) -> Bool {
    guard let streamed = fields.first(where: { selections.fields[$0].isStreamed }) else {
      return true
    }
    let name = selections.fields[streamed].name
    for position in fields where position != streamed {
      report(
        position, streamed,
        "The field \(quoted(name)) cannot be merged with another one, "
          + "because it has \"@stream\".")
    }
    return false
  }

  /// The fields have the same name and arguments as the first one.
  private mutating func areSameField(_ fields: ArraySlice<Int>, as first: Int) -> Bool {
    let name = selections.fields[first].name
    let arguments = selections.fields[first].arguments
    var areSame = true
    for position in fields where position != first {
      let field = selections.fields[position]
      if field.name != name {
        report(
          position, first,
          "The fields \(quoted(name)) and \(quoted(field.name)) cannot be merged under one name.")
      } else if !haveSameArguments(field.arguments, arguments) {
        report(
          position, first,
          "The field \(quoted(name)) cannot be merged with itself with different arguments.")
      } else {
        continue
      }
      areSame = false
    }
    return areSame
  }

  /// The fields' values have the same shape: the same lists and non-nulls around the same scalar or
  /// enum, or around objects (section 5.3.2 SameResponseShape).
  private mutating func haveSameShape(_ fields: ArraySlice<Int>) -> Bool {
    guard let first = fields.first(where: { selections.fields[$0].type != nil }),
      let type = selections.fields[first].type
    else { return true }
    var areSame = true
    for position in fields where position != first {
      guard let other = selections.fields[position].type, !schema.haveSameShape(other, type)
      else { continue }
      report(
        position, first,
        "Values of the types \(quoted(type.description)) and \(quoted(other.description)) cannot be "
          + "merged under one name.")
      areSame = false
    }
    return areSame
  }

  private func children(of fields: some Sequence<Int>) -> [Int] {
    fields.compactMap { selections.fields[$0].child }
  }

  /// Enqueues a merged set to be checked, unless that was done before.
  private mutating func enqueue(_ selectionSets: [Int], _ extent: Extent) {
    if selectionSets.isEmpty || steps > maximumSteps { return }
    let merged = includingFragments(selectionSets)
    guard let first = merged.first else { return }
    let known = merged.count == 1 ? ownExtents[first] : extents[merged]
    if known == .all || known == extent { return }
    if merged.count == 1 { ownExtents[first] = extent } else { extents[merged] = extent }
    pending.append((merged, extent))
  }

  /// The selection sets and those of the fragments that they spread, directly or through others;
  /// sorted, and only those with fields.
  private mutating func includingFragments(_ selectionSets: [Int]) -> [Int] {
    if selectionSets.count == 1, selections.selectionSets[selectionSets[0]].fragments.isEmpty {
      isVisited[selectionSets[0]] = true
      steps += 1
      return selections.selectionSets[selectionSets[0]].fields.isEmpty ? [] : selectionSets
    }
    var result = selectionSets
    var visited = Set(selectionSets)
    var position = 0
    while position < result.count {
      isVisited[result[position]] = true
      for fragment in selections.selectionSets[result[position]].fragments {
        steps += 1
        let selectionSet = fragments[fragment]
        if visited.insert(selectionSet).inserted { result.append(selectionSet) }
      }
      position += 1
    }
    steps += result.count
    return result.filter { !selections.selectionSets[$0].fields.isEmpty }.sorted()
  }

  /// Records a conflict, with the later field in the document as the one at fault.
  private mutating func report(
    _ first: Int, _ second: Int, _ message: @autoclosure () -> String
  ) {
    guard conflicts.count < DiagnosticCollector.maximumCount,
      reported.insert(FieldPair(first: min(first, second), second: max(first, second))).inserted
    else { return }
    var (field, other) = (selections.fields[first], selections.fields[second])
    if field.range.start < other.range.start { swap(&field, &other) }
    conflicts.append(Conflict(field: field, other: other, message: message()))
  }
}

extension ServiceSchema {
  fileprivate func haveSameShape(_ first: TypeReference, _ second: TypeReference) -> Bool {
    switch (first, second) {
    case (.nonNull(let first), .nonNull(let second)), (.list(let first), .list(let second)):
      haveSameShape(first, second)
    case (.named(let first), .named(let second)):
      first == second
        || type(named: first)?.isCompositeType == true
          && type(named: second)?.isCompositeType == true
    default: false
    }
  }
}

/// Whether two fields have the same arguments with the same values, in any order (section 5.3.2).
func haveSameArguments(_ first: [Document.Argument], _ second: [Document.Argument]) -> Bool {
  haveSameEntries(first.map { ($0.name, $0.value) }, second.map { ($0.name, $0.value) })
}

/// Whether two values are equal apart from the order of input fields, which has no meaning (section
/// 2.10.8).
private func areSame(_ first: Document.Value, _ second: Document.Value) -> Bool {
  switch (first.kind, second.kind) {
  case (.list(let first), .list(let second)):
    first.count == second.count && zip(first, second).allSatisfy(areSame)
  case (.object(let first), .object(let second)):
    haveSameEntries(first.map { ($0.name, $0.value) }, second.map { ($0.name, $0.value) })
  default: first == second
  }
}

private func haveSameEntries(
  _ first: [(name: String, value: Document.Value)],
  _ second: [(name: String, value: Document.Value)]
) -> Bool {
  guard first.count == second.count else { return false }
  let first = first.sorted { $0.name < $1.name }
  let second = second.sorted { $0.name < $1.name }
  return zip(first, second).allSatisfy { $0.name == $1.name && areSame($0.value, $1.value) }
}

/// The fields of a document's selection sets, in the form that field merging needs (section 5.3.2):
/// inline fragments are part of the enclosing selection set, spreads are kept.
struct SelectionGraph {
  struct SelectionSetNode {
    /// Positions in `fields`.
    var fields: [Int] = []
    /// The fragments it spreads.
    var fragments: [Int] = []
  }

  struct FieldUse {
    /// The response name as a number; only equality counts.
    let responseName: Int
    let name: String
    let arguments: [Document.Argument]
    /// The type in whose scope it is selected; nil if that is unknown.
    let parent: String?
    let isParentObject: Bool
    /// The field's type; nil if the field is unknown.
    let type: TypeReference?
    /// Its selection set, if it has one.
    let child: Int?
    /// Whether it has `@stream`.
    let isStreamed: Bool
    /// Its alias and name.
    let range: SourceRange
  }

  private(set) var selectionSets: [SelectionSetNode] = []
  private(set) var fields: [FieldUse] = []
  private var responseNames: [String: Int] = [:]

  mutating func addSelectionSet() -> Int {
    selectionSets.append(SelectionSetNode())
    return selectionSets.count - 1
  }

  mutating func addSpread(of fragment: Int, to selectionSet: Int) {
    selectionSets[selectionSet].fragments.append(fragment)
  }

  mutating func add(
    _ field: Document.Field, _ type: TypeReference?, on parent: NamedType?, child: Int?,
    isStreamed: Bool, to selectionSet: Int
  ) {
    let isParentObject = if case .object? = parent { true } else { false }
    var range = field.range
    range.end = field.nameRange.end
    selectionSets[selectionSet].fields.append(fields.count)
    fields.append(
      FieldUse(
        responseName: number(of: field.responseName), name: field.name,
        arguments: field.arguments, parent: parent?.name, isParentObject: isParentObject,
        type: type, child: child, isStreamed: isStreamed,
        range: range))
  }

  private mutating func number(of responseName: String) -> Int {
    if let number = responseNames[responseName] { return number }
    responseNames[responseName] = responseNames.count
    return responseNames.count - 1
  }
}
