import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Gives an object its real key: its record and its patches move there, and every link to it and
  /// its observers follow.
  ///
  /// The known state under the new key is merged over that under the old one. Reads the text of
  /// every record once.
  ///
  /// - Parameter old: a key that must not occur elsewhere in the file as text.
  package func rename(
    _ old: GraphQL.EntityKey, to new: GraphQL.EntityKey
  ) throws(Graph.StoreError) {
    try checkOpen()
    try updateExpectedRelations()
    if let owners = states.linked?.removeValue(forKey: old) {
      states.linked?[new, default: []].formUnion(owners)
    }
    try move(old, to: new)
    for key in try keys(naming: old) {
      let state = try entityState(of: key)
      guard var overlay = state.overlay else {
        if let json = state.json {
          put(RecordText(json.renaming(old, to: new)), in: state, isArrival: false)
        }
        continue
      }
      for patch in overlay.patches {
        let patch = patch.renaming(old, to: new)
        overlay.set(patch)
        try write(patch, of: key)
      }
      try setOverlay(state, with: overlay)
      put(
        (overlay.base?.renaming(old, to: new)).map(RecordText.init), in: state, isArrival: false)
    }
    renamed.append((old, new))
  }

  private func move(
    _ old: GraphQL.EntityKey, to new: GraphQL.EntityKey
  ) throws(Graph.StoreError) {
    let (source, target) = (try entityState(of: old), try entityState(of: new))
    let patches = source.overlay?.patches ?? []
    try deletePatches(of: old)
    if let base = source.base?.json?.renaming(old, to: new) {
      let known = target.base?.json
      put(RecordText(known.map { base.merging($0) } ?? base), in: target)
    }
    for patch in patches { try setOverlay(target, with: patch.renaming(old, to: new)) }
    if source.overlay == nil {
      put(nil, in: source)
    } else {
      try setOverlay(source, with: Overlay(base: nil))
    }
    try moveEdits(of: old, to: new)
  }

  /// Moves the expected edits of an object's connections, which are kept at keys without a row.
  private func moveEdits(
    of old: GraphQL.EntityKey, to new: GraphQL.EntityKey
  ) throws(Graph.StoreError) {
    for field in planner.plan(ofType: old.typeName)?.fields ?? [] where field.page != nil {
      func edits(_ owner: GraphQL.EntityKey) throws(Graph.StoreError) -> EntityState {
        try entityState(
          of: ConnectionKey.edits(
            of: Graph.StoredList(owner: owner, field: field.name, arguments: .all)))
      }
      let source = try edits(old)
      guard let overlay = source.overlay else { continue }
      try deletePatches(of: source.key)
      for patch in overlay.patches {
        for step in patch.renaming(old, to: new).steps {
          try addStep(step, to: edits(new), by: patch.change)
        }
      }
      try setOverlay(source, with: Overlay(base: nil))
    }
  }

  /// The entities whose records or patches name a key.
  private func keys(naming key: GraphQL.EntityKey) throws(Graph.StoreError) -> Set<
    GraphQL.EntityKey
  > {
    var keys: Set<GraphQL.EntityKey> = []
    func names(_ json: JSONDocument?) -> Bool { json?.text.contains(key.key) ?? false }
    for name in memory.counts.keys {
      for (other, json) in memory.records(ofType: name) where names(json) {
        keys.insert(GraphQL.EntityKey(typeName: name, key: other))
      }
    }
    for (other, json) in memory.memoryOnly where names(json) { keys.insert(other) }
    for (other, overlay) in memory.overlays.byKey
    where names(overlay.base)
      || overlay.patches.contains(where: { $0.steps.contains { names($0.content) } })
    {
      keys.insert(other)
    }
    for state in changed where names(state.json) { keys.insert(state.key) }
    if connection != nil {
      keys.formUnion(try self.keys(inFileNaming: key.key))
    }
    keys.remove(key)
    return keys
  }

  private func keys(inFileNaming name: String) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    var queries = [
      """
      SELECT type.name || ':' || entity.key FROM entity JOIN type ON type.id = entity.type
      WHERE instr(record, ?1) > 0
      """
    ]
    if try mayHaveOverlays {
      queries.append("SELECT entity FROM overlay_base WHERE instr(record, ?1) > 0")
      queries.append("SELECT DISTINCT entity FROM overlay_patch WHERE instr(content, ?1) > 0")
    }
    var keys: [GraphQL.EntityKey] = []
    for text in queries {
      keys += try rows(text, [.text(name)]) { GraphQL.EntityKey($0.text(0)) }.compactMap { $0 }
    }
    return keys
  }
}
