import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Deletes an object. The rules of its fields determine what happens to its targets, see
  /// ``TypePolicy/DeleteRule``, and the rule of its type what happens to objects that lead to it,
  /// see ``TypePolicy/ReferrerRule``.
  ///
  /// Reads every record once to find the references.
  ///
  /// - Returns: the keys of the deleted objects: this one and those that were deleted with it.
  /// - Throws: ``StoreError``, in particular `notAnEntity` and `deletionDenied`; nothing was deleted then.
  @discardableResult
  public func delete(
    _ type: GraphQL.AbstractResponse.Type, key: String
  ) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    try delete([try policies.key(type, key)])
  }

  /// Deletes every object.
  public func deleteAll() throws(Graph.StoreError) {
    try checkOpen()
    try forEachRecord { key, _ throws(Graph.StoreError) in
      put(nil, in: try entityState(of: key))
    }
  }

  /// Deletes several objects at the cost of one; see ``delete(_:key:)``.
  @discardableResult
  public func delete(_ keys: some Sequence<GraphQL.EntityKey>) throws(Graph.StoreError)
    -> [GraphQL.EntityKey]
  {
    try checkOpen()
    let deletion = try Deletion(of: keys, in: self)
    try deletion.checkDenials()
    return try carryOut(deletion)
  }

  /// Deletes objects regardless of the rule ``TypePolicy/DeleteRule/deny``.
  ///
  /// - Parameter others: objects that are deleted already, except for the links to them.
  func delete(
    _ keys: some Sequence<GraphQL.EntityKey>, withThose others: [GraphQL.EntityKey]
  ) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    try checkOpen()
    return try carryOut(Deletion(of: keys, withThose: others, in: self))
  }

  private func carryOut(_ deletion: Deletion) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    if deletion.keys.isEmpty { return [] }
    for key in deletion.keys { try remove(entityState(of: key)) }
    let links = try deletion.linksThatStay()
    var changed: [(GraphQL.EntityKey, RecordText)] = []
    try forEachRecord { key, visible throws(Graph.StoreError) in
      guard let json = try base(of: key, visible: visible) else { return }
      let gone = links[key].map { deletion.gone.subtracting($0) } ?? deletion.gone
      var remover = LinkRemover(json: json, gone: gone)
      guard let plan = planner.plan(ofType: key.typeName) else { return }
      if let bytes = remover.record(plan) {
        changed.append((key, RecordText(bytes)))
      } else if visible !== json,
        visible.links(in: JSONDocument.rootIndex).contains(where: gone.contains)
      {
        // An expected change has added the link, and is applied again without the object.
        changed.append((key, RecordText(json)))
      }
    }
    for (key, record) in changed { put(record, in: try entityState(of: key), isArrival: false) }
    return deletion.keys
  }

  /// Deletes an entity's row, and its connections.
  func remove(_ state: EntityState) throws(Graph.StoreError) {
    if let json = state.base?.json {
      var member = json.firstChild(of: JSONDocument.rootIndex)
      while member < json.end(of: JSONDocument.rootIndex) {
        let value = json.next(after: member)
        if json.kind(at: value) == .object,
          let key = GraphQL.StoredLink.key(at: value, in: json), key.isOfConnection
        {
          try ConnectionWriter(key: ConnectionKey(head: key), typeName: "", transaction: self)
            .removeAll()
        }
        member = json.next(after: value)
      }
    }
    put(nil, in: state)
  }

  /// Calls `body` with every record of every type.
  func forEachRecord(
    _ body: (GraphQL.EntityKey, JSONDocument) throws(Graph.StoreError) -> Void
  ) throws(Graph.StoreError) {
    for name in try typeNames() {
      try forEachRecord(ofType: name) { key, json throws(Graph.StoreError) in
        try body(GraphQL.EntityKey(typeName: name, key: key), json)
        return true
      }
    }
  }

  /// The types that may have objects.
  private func typeNames() throws(Graph.StoreError) -> [String] {
    var names = Set(memory.counts.keys).union(changed.map(\.key.typeName))
    if let file = committed.file, let connection {
      names.formUnion(try file.typeNumbers.names(on: connection))
    }
    return names.sorted()
  }
}
