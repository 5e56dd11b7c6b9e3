import GraphJSON
import GraphQLRuntime

extension RecordRenaming {
  /// The patch of an entity with current names.
  ///
  /// - Parameter key: the entity with its current name.
  mutating func patch(_ patch: OverlayPatch, of key: GraphQL.EntityKey) -> OverlayPatch {
    var steps: [OverlayPatch.Step] = []
    for step in patch.steps {
      steps.append(content(step, of: key).map { step.with(content: $0) } ?? step)
    }
    return OverlayPatch(change: patch.change, steps: steps)
  }

  private mutating func content(
    _ step: OverlayPatch.Step, of key: GraphQL.EntityKey
  ) -> JSONDocument? {
    switch step.effect {
    case .create, .update: JSONDocument(record: record(step.content, ofRow: key.typeName))
    case .delete: OverlayPatch.Step(deletionKeptBy: step.keepers.map { link($0) })?.content
    case .unlink:
      OverlayPatch.Step(
        .unlink, ["links": .array(step.links.map { .string(link($0).description) })])?.content
    case .edit: edit(step, of: key)?.content
    }
  }

  private func edit(
    _ step: OverlayPatch.Step, of key: GraphQL.EntityKey
  ) -> OverlayPatch.Step? {
    guard let (edit, list) = step.edit(of: key) else { return nil }
    // The field of a connection is in the name of its row's type.
    let field =
      key.isOfConnection
      ? String(key.typeName.drop { $0 != "." }.dropFirst())
      : path([ExactKey(list.field)], ofRow: key.typeName).first?.text ?? list.field
    return OverlayPatch.Step(
      self.edit(edit), Graph.StoredList(owner: key, field: field, arguments: list.arguments))
  }

  /// An edit with the current names.
  func edit(_ edit: ListEdit) -> ListEdit {
    let object = link(edit.key)
    guard case .ordered(let path, let isDescending) = edit.place else {
      return ListEdit(key: object, place: edit.place)
    }
    let names = path.split(separator: ".").map { ExactKey(String($0)) }
    let current = self.path(names, ofRow: object.typeName).map(\.text)
    return ListEdit(
      key: object,
      place: .ordered(by: current.joined(separator: "."), isDescending: isDescending))
  }
}
