import GraphJSON
import GraphQLRuntime

// Changes of relations are noted here, and the expected changes that depend on them are made again later.

extension Graph.Transaction {
  /// Links of an object with expected changes, or in such a change, that are not what they were.
  struct RelationChange {
    let key: GraphQL.EntityKey
    let touch: RelationTouch
    /// Only the changes of later operations depend on it.
    let after: Int64
  }

  /// Notes that an operation's change of an entity begins or ends.
  func noteRelations(of key: GraphQL.EntityKey, in patch: OverlayPatch) {
    note(
      RelationTouch(patch.steps, of: key, policies.inverses(ofType: key.typeName)), of: key,
      after: patch.change)
  }

  /// Notes that the known state of an entity with expected changes is another one.
  func noteRelations(of key: GraphQL.EntityKey, from old: JSONDocument?, to new: JSONDocument?) {
    let relations = policies.inverses(ofType: key.typeName)
    if !relations.isEmpty { note(RelationTouch(from: old, to: new, relations), of: key) }
  }

  /// Notes that objects to which the expected changes of an entity link have appeared or disappeared.
  func noteRelations(of key: GraphQL.EntityKey, to members: Set<GraphQL.EntityKey>) {
    if !policies.inverses(ofType: key.typeName).isEmpty {
      note(RelationTouch(members: members), of: key)
    }
  }

  /// Notes that an entity with expected changes has appeared or disappeared.
  func noteRelations(of key: GraphQL.EntityKey) {
    if !policies.inverses(ofType: key.typeName).isEmpty {
      note(RelationTouch(isWhole: true), of: key)
    }
  }

  private func note(_ touch: RelationTouch, of key: GraphQL.EntityKey, after: Int64 = .min) {
    if touch.isWhole || !touch.members.isEmpty {
      relationChanges.append(RelationChange(key: key, touch: touch, after: after))
    }
  }
}
