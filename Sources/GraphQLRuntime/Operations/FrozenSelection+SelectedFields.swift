import GraphJSON

extension GraphQL.FrozenSelection: GraphQL.SelectedFields {
  func selects(
    _ responseName: String, at path: [GraphQL.ResponsePathElement], below root: Int,
    in document: GraphQL.ResponseDocument
  ) -> Bool {
    guard let schema, let (sets, type) = selections(at: path, below: root, in: document) else {
      return false
    }
    return !Self.fields(responseName, in: sets, of: type, schema).isEmpty
  }

  /// The selection sets for the object with that path, and its type.
  func selections(
    at path: [GraphQL.ResponsePathElement], below root: Int, in document: GraphQL.ResponseDocument
  ) -> (sets: [GraphQL.SelectionSet], type: GraphQL.TypeInfo)? {
    guard let schema, var type = selectionSet.type else { return nil }
    let json = document.json
    var sets = [selectionSet]
    var place = root
    for element in path {
      switch element {
      case .index(let position):
        place = json.element(position, of: place)
      case .key(let key):
        let fields = Self.fields(key, in: sets, of: type, schema)
        guard case .composite(let position)? = fields.first?.info?.named,
          let value = json.member(key, of: place)
        else { return nil }
        sets = fields.compactMap(\.selectionSet)
        type = schema.type(at: position)
        place = value
      }
      if json.kind(at: place) == .object {
        type = GraphQL.ValueReader(document: document, index: place).concreteType(of: type) ?? type
      }
    }
    return (sets, type)
  }

  /// The fields of a response name that apply to `type`, in the sets and their fragments.
  private static func fields(
    _ responseName: String, in sets: [GraphQL.SelectionSet], of type: GraphQL.TypeInfo,
    _ schema: GraphQL.SchemaTable
  ) -> [GraphQL.SelectionSet.Field] {
    var found: [GraphQL.SelectionSet.Field] = []
    var visited: Set<ObjectIdentifier> = []
    func gather(_ set: GraphQL.SelectionSet) {
      for entry in set.entries {
        switch entry {
        case .field(let field):
          if field.responseName == responseName { found.append(field) }
        case .inlineFragment(let condition, _, let inner):
          if schema.applies(condition, to: type) { gather(inner) }
        case .spread(let fragment, _):
          if schema.applies(fragment.type?.name ?? type.name, to: type),
            visited.insert(ObjectIdentifier(fragment)).inserted
          {
            gather(fragment.selectionSet)
          }
        }
      }
    }
    for set in sets { gather(set) }
    return found
  }
}
