import GraphJSON

extension GraphQL {
  /// Freezes builders into selection sets: merges fields with one response name (specification:
  /// 6.3.3 Field Collection), in the order in which they were first selected.
  struct SelectionMerger {
    /// How deep selection sets may nest, including fragments. This limits every recursion over
    /// them.
    static let maximumDepth = 200
    /// How many selections a document may have. Without a limit, builders that share children could
    /// grow exponentially.
    static let maximumCount = 200_000

    let schema: SchemaTable?
    private(set) var problems: [InvalidQuery.Problem] = []
    private(set) var hasFragments = false
    private var path: [String] = []
    private var depth = 0
    private var count = 0
    /// The fields that are being merged, from the root down.
    private var open: [SelectionList] = []
    private var checkedFragments: Set<ObjectIdentifier> = []

    /// - Parameter path: the location of the selections.
    init(schema: SchemaTable?, path: [String] = []) {
      self.schema = schema
      self.path = path
    }

    mutating func report(_ message: String) {
      problems.append(InvalidQuery.Problem(message: message, path: path))
    }

    mutating func report(_ conflicts: [InvalidQuery.Problem]) {
      problems += conflicts
    }

    /// The selection set that all `lists` together select on `type`.
    mutating func selectionSet(
      _ lists: [SelectionList], of type: TypeInfo?, isRoot: Bool = false
    ) -> SelectionSet {
      let empty = SelectionSet(type: type, entries: [])
      guard depth < Self.maximumDepth else {
        report("selections are nested more than \(Self.maximumDepth) levels deep")
        return empty
      }
      guard enter(lists) else {
        report("a selection set contains itself")
        return empty
      }
      defer { leave(lists) }
      let earlier = problems.count
      var draft = SelectionDraft()
      if let type, type.isAbstract, !isRoot {
        draft.add(Selection(plainField: "__typename"))
      }
      for list in lists {
        let selections = list.selections
        guard take(selections.count) else { return empty }
        for selection in selections { add(selection, to: &draft) }
        if list.hasPending {
          report("no selection follows `null`, `include`, `skip` or `directive`")
        }
      }
      if draft.groups.isEmpty { report("no field is selected; select at least one field") }
      var entries: [SelectionSet.Entry] = []
      entries.reserveCapacity(draft.groups.count)
      for group in draft.groups { entries.append(entry(group, of: type)) }
      if lists.contains(where: \.isLent) {
        // Other problems may be consequences.
        problems.removeSubrange(earlier...)
        report("a closure of this builder is still running; create the operation after it")
      }
      return SelectionSet(type: type, entries: entries)
    }

    private mutating func enter(_ lists: [SelectionList]) -> Bool {
      guard !lists.contains(where: { list in open.contains { $0.identity == list.identity } })
      else { return false }
      open += lists
      depth += 1
      return true
    }

    private mutating func leave(_ lists: [SelectionList]) {
      open.removeLast(lists.count)
      depth -= 1
    }

    /// Counts selections, and reports the first one above the limit.
    private mutating func take(_ more: Int) -> Bool {
      let wasWithin = count <= Self.maximumCount
      count += more
      if wasWithin, count > Self.maximumCount {
        report("the document has more than \(Self.maximumCount) selections")
      }
      return count <= Self.maximumCount
    }

    private mutating func add(_ selection: Selection, to draft: inout SelectionDraft) {
      guard let position = draft.position(of: selection) else { return draft.add(selection) }
      if draft.groups[position].first.isSameField(as: selection) {
        draft.merge(selection, at: position)
      } else {
        report(
          "`\(selection.responseName)` is selected twice with different fields, arguments or "
            + "directives; give one of them an alias")
      }
    }

    private mutating func entry(_ group: SelectionGroup, of type: TypeInfo?) -> SelectionSet.Entry {
      let selection = group.first
      let directives = selection.directives
      switch selection.kind {
      case .field:
        path.append(selection.responseName)
        defer { path.removeLast() }
        return .field(field(group, of: type))
      case .inlineFragment:
        let condition = selection.name
        hasFragments = true
        reportNulls(selection)
        let target = schema?.type(named: condition)
        check("a selection on \(condition)", on: target, in: type)
        let set = selectionSet(group.children, of: target, isRoot: true)
        return .inlineFragment(type: condition, directives: directives, set)
      case .spread(let fragment):
        hasFragments = true
        reportNulls(selection)
        return .spread(checked(fragment, in: type), directives: directives)
      }
    }

    private mutating func field(
      _ group: SelectionGroup, of type: TypeInfo?
    ) -> SelectionSet.Field {
      let info = type?.field(group.first.name)
      check(group, info: info, in: type)
      let arguments = arguments(of: group.first, info: info)
      let children = group.children
      let below =
        children.isEmpty
        ? nil : selectionSet(children, of: info.flatMap { schema?.type(of: $0) })
      return SelectionSet.Field(
        group.first, arguments: arguments, info: info, selectionSet: below)
    }

    /// Specification: 5.3.1 Field Selections, 5.3.3 Leaf Field Selections. Separate from
    /// ``field(_:of:)``, whose frames accumulate.
    private mutating func check(
      _ group: SelectionGroup, info: FieldInfo?, in type: TypeInfo?
    ) {
      let name = group.first.name
      if type == nil {
        if !Name.isValid(name) { report("`\(name)` is not a field name") }
      } else if info == nil, name != "__typename" {
        report("\(type?.name ?? "") has no field `\(name)`")
      }
      if let problem = Self.aliasProblem(group.first, in: type, schema) { report(problem) }
      guard let info else { return }
      let hasChildren = group.first.child != nil
      if case .composite = info.named {
        if !hasChildren {
          report("`\(name)` is of type \(info.type.text); select at least one of its fields")
        }
      } else if hasChildren {
        report("`\(name)` is of type \(info.type.text), which has no fields to select")
      }
    }

    private mutating func arguments(of selection: Selection, info: FieldInfo?) -> [Argument] {
      var arguments = selection.arguments
      if selection.modifiers == nil { return arguments }
      if selection.rawArguments != nil {
        report("`null` applies to typed arguments only; write null in the text of `args`")
        return arguments
      }
      for name in Set(selection.nulls).sorted() {
        guard let argument = info?.argument(name) else {
          report("there is no argument `\(name)` to send as null")
          continue
        }
        if argument.type.isNonNull {
          report("argument `\(name)` is of type \(argument.type.text) and cannot be null")
        } else if arguments.contains(where: { $0.name == name }) {
          report("argument `\(name)` has both a value and null")
        } else {
          arguments.append(Argument(name: name, value: ExplicitNull()))
        }
      }
      return arguments
    }

    /// The response name `field__alias` must be a name, and must differ from other fields' names.
    static func aliasProblem(
      _ selection: Selection, in type: TypeInfo?, _ schema: SchemaTable?
    ) -> String? {
      guard let alias = selection.alias else { return nil }
      let isName = alias.utf8.allSatisfy(Name.isContinue) && !alias.isEmpty
      if !isName || alias.hasPrefix("_") || alias.contains("__") {
        return
          "`\(alias)` is not an alias: use letters, digits and single `_`, and do not start with `_`"
      }
      guard let type else { return nil }
      // Whatever the object's type is, none of its own fields may have this name.
      let objects = type.isAbstract ? schema?.possibleTypes(of: type) ?? [] : []
      let types = [type] + objects.sorted().compactMap { schema?.type(named: $0) }
      let owner = types.first { $0.field(selection.responseName) != nil }
      return owner.map {
        "alias `\(alias)` results in the name `\(selection.responseName)`, which is a field of \($0.name); "
          + "choose another alias"
      }
    }

    /// The fragment, or an empty one if it is not allowed here.
    private mutating func checked(
      _ fragment: FragmentDefinition, in type: TypeInfo?
    ) -> FragmentDefinition {
      if checkedFragments.insert(ObjectIdentifier(fragment)).inserted {
        problems += fragment.problems.filter { !problems.contains($0) }
      }
      guard fragment.schema === schema || schema == nil else {
        report("fragment `\(fragment.name)` belongs to another schema")
        return fragment.emptied
      }
      guard depth + fragment.selectionSet.depth <= Self.maximumDepth else {
        report("selections are nested more than \(Self.maximumDepth) levels deep")
        return fragment.emptied
      }
      check(
        "fragment `\(fragment.name)` is on \(fragment.type?.name ?? "")", on: fragment.type,
        in: type)
      return fragment
    }

    /// Specification: 5.5.2.3 Fragment Spread Is Possible.
    private mutating func check(_ what: String, on condition: TypeInfo?, in type: TypeInfo?) {
      guard let schema, let type, let condition, type !== condition else { return }
      if schema.possibleTypes(of: type).isDisjoint(with: schema.possibleTypes(of: condition)) {
        report("\(what), which never applies to \(type.name)")
      }
    }

    private mutating func reportNulls(_ selection: Selection) {
      if let name = selection.nulls.first {
        report("there is no argument `\(name)` to send as null")
      }
    }
  }
}

extension GraphQL {
  /// The selections with one response name, or one fragment.
  struct SelectionGroup {
    let first: Selection
    /// The children of the selections after the first.
    private var others: [SelectionList] = []

    init(_ selection: Selection) {
      first = selection
    }

    mutating func merge(_ selection: Selection) {
      if let child = selection.child { others.append(child) }
    }

    /// The selections of nested builders, each once.
    var children: [SelectionList] {
      guard let child = first.child else { return [] }
      if others.isEmpty { return [child] }
      var known: Set = [child.identity]
      return [child] + others.filter { known.insert($0.identity).inserted }
    }
  }

  /// Groups in the order of their first selection.
  struct SelectionDraft {
    private(set) var groups: [SelectionGroup] = []
    /// The position of each response name in `groups`; created when searching becomes slower than
    /// hashing.
    private var positions: [String: Int] = [:]
    private static let searchLimit = 16

    mutating func add(_ selection: Selection) {
      groups.append(SelectionGroup(selection))
      if groups.count == Self.searchLimit + 1 {
        for (position, group) in groups.enumerated() where group.first.isField {
          positions[group.first.responseName] = position
        }
      } else if groups.count > Self.searchLimit, selection.isField {
        positions[selection.responseName] = groups.count - 1
      }
    }

    mutating func merge(_ selection: Selection, at position: Int) {
      groups[position].merge(selection)
    }

    /// The group of the selection's response name; nil for a fragment, which has a group of its
    /// own.
    func position(of selection: Selection) -> Int? {
      guard selection.isField else { return nil }
      let name = selection.responseName
      if groups.count > Self.searchLimit { return positions[name] }
      return groups.firstIndex { $0.first.isField && $0.first.responseName == name }
    }
  }
}

extension GraphQL.Selection {
  /// Whether two selections with one response name can be merged (specification: 5.3.2 Field
  /// Selection Merging).
  func isSameField(as other: GraphQL.Selection) -> Bool {
    guard isField, other.isField, name == other.name,
      rawArguments.map(ExactKey.init) == other.rawArguments.map(ExactKey.init),
      (child == nil) == (other.child == nil),
      nulls.sorted() == other.nulls.sorted()
    else { return false }
    return GraphQL.sameArguments(arguments, other.arguments)
      && directives.count == other.directives.count
      && zip(directives, other.directives).allSatisfy {
        $0.name == $1.name && GraphQL.sameArguments($0.arguments, $1.arguments)
      }
  }
}

extension GraphQL {
  /// Compares arguments by the values that would be sent; the order does not matter.
  static func sameArguments(_ left: [Argument], _ right: [Argument]) -> Bool {
    guard left.count == right.count else { return false }
    return left.allSatisfy { argument in
      right.contains { $0.name == argument.name && isSent($0.value, likewise: argument.value) }
    }
  }

  private static func isSent(
    _ left: any InputValue, likewise right: any InputValue
  ) -> Bool {
    var leftWriter = ValueWriter(.json)
    left._write(to: &leftWriter)
    var rightWriter = ValueWriter(.json)
    right._write(to: &rightWriter)
    return leftWriter.bytes == rightWriter.bytes
      && leftWriter.uploads.elementsEqual(rightWriter.uploads) { $0.upload == $1.upload }
  }
}

extension GraphQL {
  /// Finds fields with one response name that cannot be merged, across a selection set and its
  /// fragments (specification: 5.3.2 Field Selection Merging).
  ///
  /// Without this check the server would refuse the document; here the reason is known before it is
  /// sent. Fields are compared with the first of their group instead of in pairs, and no comparison
  /// is repeated, so the cost of nested fragments is proportional to their contents.
  struct OverlapCheck {
    private(set) var conflicts: [InvalidQuery.Problem] = []
    /// Fields with arguments that may describe one object, in different selection sets. Servers
    /// compare the text of their arguments, so these must be the same variables.
    private(set) var equalFields = EqualFields()
    private var shapesChecked: Set<[ObjectIdentifier]> = []
    private var fieldsChecked: Set<[ObjectIdentifier]> = []

    /// A field and the type on which it is selected.
    private struct Candidate {
      let field: SelectionSet.Field
      let parent: TypeInfo?
    }

    mutating func check(_ set: SelectionSet) {
      checkFields(of: [set], path: [])
      checkShapes(of: [set], path: [])
    }

    /// Fields that may describe one object have to be the same field with the same arguments.
    private mutating func checkFields(of sets: [SelectionSet], path: [String]) {
      guard fieldsChecked.insert(Self.key(sets)).inserted else { return }
      for group in Self.groups(sets) {
        let name = group[0].field.responseName
        for together in Self.withCommonParents(group) {
          let first = together[0].field
          if together.dropFirst().allSatisfy({ Self.isSameField(first, $0.field) }) {
            if !first.arguments.isEmpty {
              for other in together.dropFirst() { equalFields.unite(first, other.field) }
            }
            checkFields(of: Self.children(together), path: path + [name])
          } else {
            report(
              "`\(name)` is selected with different fields or arguments; give one of them an alias",
              path + [name])
          }
        }
      }
    }

    /// Fields of one response name must have one shape, even on types that exclude each other.
    private mutating func checkShapes(of sets: [SelectionSet], path: [String]) {
      guard shapesChecked.insert(Self.key(sets)).inserted else { return }
      for group in Self.groups(sets) {
        let first = group[0]
        let name = first.field.responseName
        if let other = group.dropFirst().first(where: { !Self.isSameShape(first, $0) }) {
          report(
            "`\(name)` is \(Self.typeText(first)) and \(Self.typeText(other)); "
              + "give one of them an alias", path + [name])
        } else {
          checkShapes(of: Self.children(group), path: path + [name])
        }
      }
    }

    private mutating func report(_ message: String, _ path: [String]) {
      let problem = InvalidQuery.Problem(message: message, path: path)
      if !conflicts.contains(problem) { conflicts.append(problem) }
    }

    private static func key(_ sets: [SelectionSet]) -> [ObjectIdentifier] {
      sets.map { ObjectIdentifier($0) }.sorted()
    }

    /// The fields by response name, each name in the order of its first selection.
    private static func groups(_ sets: [SelectionSet]) -> [[Candidate]] {
      var groups: [[Candidate]] = []
      var positions: [String: Int] = [:]
      var visited: Set<ObjectIdentifier> = []
      func gather(_ set: SelectionSet) {
        for entry in set.entries {
          switch entry {
          case .field(let field):
            let candidate = Candidate(field: field, parent: set.type)
            if let position = positions[field.responseName] {
              groups[position].append(candidate)
            } else {
              positions[field.responseName] = groups.count
              groups.append([candidate])
            }
          case .inlineFragment(_, _, let inner):
            gather(inner)
          case .spread(let fragment, _):
            if visited.insert(ObjectIdentifier(fragment)).inserted { gather(fragment.selectionSet) }
          }
        }
      }
      for set in sets { gather(set) }
      return groups
    }

    /// The parts of a group that may apply to one object: two object types with different names do
    /// not.
    private static func withCommonParents(_ group: [Candidate]) -> [[Candidate]] {
      guard group.count > 1 else { return [group] }
      var objects: [String] = []
      var byObject: [String: [Candidate]] = [:]
      var others: [Candidate] = []
      for candidate in group {
        guard let parent = candidate.parent, !parent.isAbstract else {
          others.append(candidate)
          continue
        }
        if byObject[parent.name] == nil { objects.append(parent.name) }
        byObject[parent.name, default: []].append(candidate)
      }
      return objects.isEmpty ? [others] : objects.map { others + (byObject[$0] ?? []) }
    }

    /// The selection sets below, each once.
    private static func children(_ group: [Candidate]) -> [SelectionSet] {
      var known: Set<ObjectIdentifier> = []
      return group.compactMap { candidate in
        guard let set = candidate.field.selectionSet, known.insert(ObjectIdentifier(set)).inserted
        else { return nil }
        return set
      }
    }

    private static func isSameField(
      _ left: SelectionSet.Field, _ right: SelectionSet.Field
    ) -> Bool {
      left.name == right.name
        && left.rawArguments.map(ExactKey.init) == right.rawArguments.map(ExactKey.init)
        && sameArguments(left.arguments, right.arguments)
    }

    private static func isSameShape(_ left: Candidate, _ right: Candidate) -> Bool {
      guard let left = left.field.info, let right = right.field.info else { return true }
      guard left.type.wrapping == right.type.wrapping else { return false }
      return switch (left.named, right.named) {
      case (.composite, .composite): true
      case (.composite, _), (_, .composite): false
      default: left.type.name == right.type.name
      }
    }

    private static func typeText(_ candidate: Candidate) -> String {
      "\(candidate.field.info?.type.text ?? "") on \(candidate.parent?.name ?? "")"
    }
  }
}

extension GraphQL {
  /// Sets of fields that are printed with the same variables.
  struct EqualFields {
    /// Another field of the same set; none for the field that represents the set.
    private var parents: [ObjectIdentifier: ObjectIdentifier] = [:]

    mutating func unite(_ first: SelectionSet.Field, _ second: SelectionSet.Field) {
      let (first, second) = (representative(of: first), representative(of: second))
      if first != second { parents[second] = first }
    }

    /// Equal for the fields of one set.
    func representative(of field: SelectionSet.Field) -> ObjectIdentifier {
      var field = ObjectIdentifier(field)
      while let parent = parents[field] { field = parent }
      return field
    }

    /// Whether no field has another one in its set.
    var isEmpty: Bool { parents.isEmpty }
  }
}
