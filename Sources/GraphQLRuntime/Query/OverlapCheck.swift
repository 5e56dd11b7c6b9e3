extension GraphQL {
  /// Finds fields of one response name that cannot be merged, across a selection set and the
  /// fragments in it (specification: 5.3.2 Field Selection Merging).
  ///
  /// Without it the server would refuse the document; here the reason is known before it is sent.
  struct OverlapCheck {
    let schema: SchemaTable
    private(set) var conflicts: [String] = []

    /// A field and the type on which it is selected.
    private struct Candidate {
      let field: SelectionSet.Field
      let parent: TypeInfo?
    }

    init(schema: SchemaTable) {
      self.schema = schema
    }

    mutating func check(_ set: SelectionSet) {
      check([set], disjoint: false, path: "")
    }

    private mutating func check(_ sets: [SelectionSet], disjoint: Bool, path: String) {
      var candidates: [String: [Candidate]] = [:]
      var order: [String] = []
      var visited: Set<ObjectIdentifier> = []
      for set in sets { gather(set, &candidates, &order, &visited) }
      for name in order {
        guard let group = candidates[name], group.count > 1 else { continue }
        compare(group, disjoint: disjoint, path: path + name)
      }
    }

    private func gather(
      _ set: SelectionSet, _ candidates: inout [String: [Candidate]], _ order: inout [String],
      _ visited: inout Set<ObjectIdentifier>
    ) {
      for entry in set.entries {
        switch entry {
        case .field(let field):
          if candidates[field.responseName] == nil { order.append(field.responseName) }
          candidates[field.responseName, default: []]
            .append(Candidate(field: field, parent: set.type))
        case .inlineFragment(_, _, let inner):
          gather(inner, &candidates, &order, &visited)
        case .spread(let fragment, _):
          if visited.insert(ObjectIdentifier(fragment)).inserted {
            gather(fragment.selectionSet, &candidates, &order, &visited)
          }
        }
      }
    }

    private mutating func compare(_ group: [Candidate], disjoint: Bool, path: String) {
      for (position, left) in group.enumerated() {
        for right in group[(position + 1)...] {
          let apart = disjoint || !overlap(left.parent, right.parent)
          if !apart, !sameField(left.field, right.field) {
            conflicts.append(
              "`\(path)` is selected with different fields or arguments; give one of them an alias")
            return
          }
          if let leftInfo = left.field.info, let rightInfo = right.field.info,
            !sameShape(leftInfo, rightInfo)
          {
            conflicts.append(
              "`\(path)` is \(leftInfo.type.text) on \(left.parent?.name ?? "") and "
                + "\(rightInfo.type.text) on \(right.parent?.name ?? ""); give one of them an alias"
            )
            return
          }
          if let leftSet = left.field.selectionSet, let rightSet = right.field.selectionSet,
            leftSet !== rightSet
          {
            check([leftSet, rightSet], disjoint: apart, path: path + ".")
          }
        }
      }
    }

    private func sameField(_ left: SelectionSet.Field, _ right: SelectionSet.Field) -> Bool {
      left.name == right.name && left.rawArguments == right.rawArguments
        && sameArguments(left.arguments, right.arguments)
    }

    /// Two object types of different names never describe one object.
    private func overlap(_ left: TypeInfo?, _ right: TypeInfo?) -> Bool {
      guard let left, let right else { return true }
      return left.name == right.name || left.isAbstract || right.isAbstract
    }

    private func sameShape(_ left: FieldInfo, _ right: FieldInfo) -> Bool {
      guard left.type.wrapping == right.type.wrapping else { return false }
      return switch (left.named, right.named) {
      case (.composite, .composite): true
      case (.composite, _), (_, .composite): false
      default: left.type.name == right.type.name
      }
    }
  }
}
