import GraphJSON
import GraphQLRuntime

/// The links in one object's relations that a change has touched.
struct RelationTouch {
  /// Whether a field may have changed as a whole; otherwise only links to ``members`` were added or removed.
  var isWhole = false
  var members: Set<GraphQL.EntityKey> = []

  /// Whether one change may depend on the other.
  func meets(_ other: RelationTouch) -> Bool {
    if isWhole { return other.isWhole || !other.members.isEmpty }
    if other.isWhole { return !members.isEmpty }
    return !members.isDisjoint(with: other.members)
  }
}

extension RelationTouch {
  /// - Parameter relations: those of the object.
  init(_ steps: [OverlayPatch.Step], of key: GraphQL.EntityKey, _ relations: [InverseRelation]) {
    guard !relations.isEmpty else { return }
    for step in steps {
      switch step.effect {
      case .delete, .unlink: isWhole = true
      case .create, .update:
        isWhole = isWhole || relations.contains { step.content.links(of: $0) != nil }
      case .edit:
        guard let (edit, list) = step.edit(of: key),
          relations.contains(where: { $0.field == list.field })
        else { continue }
        members.insert(edit.key)
      }
    }
  }

  /// The differences between two records of an object with relations.
  init(from old: JSONDocument?, to new: JSONDocument?, _ relations: [InverseRelation]) {
    // An object that appears or disappears gains or loses the expected changes of its fields.
    isWhole = (old == nil) != (new == nil)
    for relation in relations {
      let (before, after) = (old?.links(of: relation), new?.links(of: relation))
      // So does a list that becomes known.
      if (before == nil) != (after == nil) { isWhole = true }
      members.formUnion(Set(before ?? []).symmetricDifference(after ?? []))
    }
  }
}

extension JSONDocument {
  /// The links in a field of an object's record; nil if the record does not have the field.
  fileprivate func links(of relation: InverseRelation) -> [GraphQL.EntityKey]? {
    links(of: Array(relation.field.utf8))
  }
}
