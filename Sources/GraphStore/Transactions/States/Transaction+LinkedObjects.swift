import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Notes the objects to which a patch links.
  func noteLinks(of patch: OverlayPatch, _ key: GraphQL.EntityKey) {
    guard states.linked != nil, !key.isOfConnection else { return }
    for object in links(of: patch, key) { states.linked?[object, default: []].insert(key) }
  }

  private func links(of patch: OverlayPatch, _ key: GraphQL.EntityKey) -> [GraphQL.EntityKey] {
    let relations = policies.inverses(ofType: key.typeName)
    var links: [GraphQL.EntityKey] = []
    for step in patch.steps {
      switch step.effect {
      case .create, .update:
        for relation in relations {
          links += step.content.links(of: Array(relation.field.utf8)) ?? []
        }
      case .edit: if let (edit, _) = step.edit(of: key) { links.append(edit.key) }
      case .delete, .unlink: break
      }
    }
    return links
  }
}
