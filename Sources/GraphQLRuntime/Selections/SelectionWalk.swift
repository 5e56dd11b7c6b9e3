extension GraphQL {
  /// Visits selections, and each fragment once: the number of paths to a fragment can double with each fragment
  /// that uses another one twice.
  struct SelectionWalk {
    private var visited: Set<ObjectIdentifier> = []

    /// The fields of this level.
    mutating func fields(of set: SelectionSet) -> [SelectionSet.Field] {
      set.entries.flatMap { entry -> [SelectionSet.Field] in
        switch entry {
        case .field(let field): [field]
        case .inlineFragment(_, _, let set): fields(of: set)
        case .spread(let fragment, _):
          visit(fragment) ? fields(of: fragment.selectionSet) : []
        }
      }
    }

    /// Whether all fields pass the test, those of nested objects too.
    mutating func allSatisfy(_ set: SelectionSet, _ test: (SelectionSet.Field) -> Bool) -> Bool {
      !contains(set, type: { _ in false }, field: { !test($0) })
    }

    /// Whether a type of the selections passes the test, or a field, also of nested objects.
    mutating func contains(
      _ set: SelectionSet, type: (String) -> Bool,
      field: (SelectionSet.Field) -> Bool = { _ in false }
    ) -> Bool {
      if let name = set.type?.name, type(name) { return true }
      for entry in set.entries {
        let inner: SelectionSet?
        switch entry {
        case .field(let selected):
          if field(selected) { return true }
          inner = selected.selectionSet
        case .inlineFragment(let condition, _, let set):
          if type(condition) { return true }
          inner = set
        case .spread(let fragment, _): inner = visit(fragment) ? fragment.selectionSet : nil
        }
        if let inner, contains(inner, type: type, field: field) { return true }
      }
      return false
    }

    private mutating func visit(_ fragment: FragmentDefinition) -> Bool {
      visited.insert(ObjectIdentifier(fragment)).inserted
    }
  }
}
