import GraphJSON

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
