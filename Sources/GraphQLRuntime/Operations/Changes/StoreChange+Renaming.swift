import GraphJSON

extension Graph.StoreChange {
  /// The change with other keys of objects, and other values in the fields.
  package func mapping<E: Error>(
    keys: (GraphQL.EntityKey) throws(E) -> GraphQL.EntityKey, fields: (JSON) throws(E) -> JSON
  ) throws(E) -> Graph.StoreChange {
    func target(_ target: Target) throws(E) -> Target {
      if case .key(let key) = target { .key(try keys(key)) } else { target }
    }
    var mapped: [Step] = []
    for step in steps {
      switch step {
      case .create(let object, let values):
        mapped.append(.create(try target(object), try fields(values)))
      case .update(let object, let values):
        mapped.append(.update(try target(object), try fields(values)))
      case .delete(let object): mapped.append(.delete(try target(object)))
      case .edit(let edit, let list):
        mapped.append(
          .edit(
            ListEdit(key: try keys(edit.key), place: edit.place),
            Graph.StoredList(
              owner: try keys(list.owner), field: list.field, arguments: list.arguments)))
      case .invalid: mapped.append(step)
      }
    }
    return Graph.StoreChange(mapped)
  }
}
