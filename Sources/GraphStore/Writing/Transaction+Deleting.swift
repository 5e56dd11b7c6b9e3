import GraphJSON
import GraphQLRuntime

extension Transaction {
  /// Deletes an object. References to it go by the delete rule of its type: see
  /// ``TypePolicy/DeleteRule``.
  ///
  /// Looks at every record once, which is where the references are.
  ///
  /// - Returns: the keys of what was deleted, this object and those that went with it.
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  @discardableResult
  public func delete(
    _ type: GraphQL.AbstractResponse.Type, key: String
  ) throws(StoreError) -> [GraphQL.EntityKey] {
    try delete([try policies.key(type, key)])
  }

  /// Deletes the objects of a type that satisfy a condition; see ``delete(_:key:)``.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  @discardableResult
  public func delete<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, where condition: (Object) -> Bool
  ) throws(StoreError) -> [GraphQL.EntityKey] {
    try checkOpen()
    let typeName = try policies.typeName(of: type)
    var keys: [GraphQL.EntityKey] = []
    try forEachRecord(ofType: typeName) { key, json throws(StoreError) in
      if condition(_reader.object(json)) {
        keys.append(GraphQL.EntityKey(typeName: typeName, key: key))
      }
      return true
    }
    return try delete(keys)
  }

  /// Deletes every object.
  public func deleteAll() throws(StoreError) {
    try checkOpen()
    try forEachRecord { key, _ throws(StoreError) in
      put(nil, in: try slot(key))
    }
  }

  /// Deletes several objects at the cost of one; see ``delete(_:key:)``.
  @discardableResult
  public func delete(_ keys: some Sequence<GraphQL.EntityKey>) throws(StoreError)
    -> [GraphQL.EntityKey]
  {
    try delete(keys, withThose: [])
  }

  /// - Parameter others: objects that are deleted already, but for the links to them.
  func delete(
    _ keys: some Sequence<GraphQL.EntityKey>, withThose others: [GraphQL.EntityKey]
  ) throws(StoreError) -> [GraphQL.EntityKey] {
    try checkOpen()
    var deleted = others
    var round = Set(others)
    for key in keys where !round.contains(key) {
      let slot = try slot(key)
      guard slot.base != nil else { continue }
      round.insert(key)
      deleted.append(key)
      try remove(slot)
    }
    // Each round deletes at least one object, so the rounds come to an end.
    while !round.isEmpty {
      round = try removeReferences(to: round)
      deleted += round.sorted { $0.description < $1.description }
    }
    return deleted
  }

  /// Takes the links to `gone` out of all records, and deletes the objects that go with them.
  private func removeReferences(
    to gone: Set<GraphQL.EntityKey>
  ) throws(StoreError) -> Set<GraphQL.EntityKey> {
    let cascading = gone.filter { policies.policy(ofType: $0.typeName).deleteRule == .cascade }
    var next: Set<GraphQL.EntityKey> = []
    var changed: [(GraphQL.EntityKey, RecordText?)] = []
    try forEachRecord { key, visible throws(StoreError) in
      guard let json = try base(of: key, visible: visible) else { return }
      var remover = LinkRemover(json: json, gone: gone)
      guard let plan = planner.plan(ofType: key.typeName), let bytes = remover.record(plan) else {
        return
      }
      // A root is no object that could go with another.
      if !key.key.isEmpty, !key.isOfConnection, !remover.found.isDisjoint(with: cascading) {
        next.insert(key)
        changed.append((key, nil))
      } else {
        changed.append((key, RecordText(bytes)))
      }
    }
    for (key, record) in changed {
      let slot = try slot(key)
      if record == nil { try remove(slot) } else { put(record, in: slot) }
    }
    return next
  }

  /// Deletes an entity's row, and its connections.
  func remove(_ slot: Slot) throws(StoreError) {
    if let json = slot.base?.json {
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
    put(nil, in: slot)
  }

  /// Calls `body` with every record of every type.
  func forEachRecord(
    _ body: (GraphQL.EntityKey, JSONDocument) throws(StoreError) -> Void
  ) throws(StoreError) {
    for name in try typeNames() {
      try forEachRecord(ofType: name) { key, json throws(StoreError) in
        try body(GraphQL.EntityKey(typeName: name, key: key), json)
        return true
      }
    }
  }

  /// The types of which there may be objects.
  private func typeNames() throws(StoreError) -> [String] {
    var names = Set(memory.counts.keys).union(changed.map(\.key.typeName))
    if let file = committed.file, let connection {
      names.formUnion(try file.types.names(on: connection))
    }
    return names.sorted()
  }
}
