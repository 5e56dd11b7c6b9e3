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

/// The objects that are deleted together. They are determined before the first one is deleted, so
/// that a denied deletion changes nothing.
struct Deletion {
  private let transaction: Graph.Transaction
  /// Collects the objects in rounds: the requested ones first, then those that are deleted because of
  /// the round before.
  private(set) var keys: [GraphQL.EntityKey]
  private(set) var gone: Set<GraphQL.EntityKey>
  /// The links of each object by the rules of its fields, if these are not `nullify`.
  private var targets: [GraphQL.EntityKey: [Graph.TypePolicy.DeleteRule: [Target]]] = [:]

  private struct Target {
    let field: String
    let key: GraphQL.EntityKey
  }

  /// - Parameter others: objects that are deleted already.
  init(
    of requested: some Sequence<GraphQL.EntityKey>, withThose others: [GraphQL.EntityKey] = [],
    in transaction: Graph.Transaction
  ) throws(Graph.StoreError) {
    self.transaction = transaction
    keys = others
    gone = Set(others)
    var round: [GraphQL.EntityKey] = []
    for key in requested where !gone.contains(key) {
      guard try transaction.entityState(of: key).base != nil else { continue }
      gone.insert(key)
      round.append(key)
    }
    var referred = Set(others + round)
    while !round.isEmpty || !referred.isEmpty {
      keys += round
      var next: Set<GraphQL.EntityKey> = []
      for key in round {
        try findTargets(of: key)
        next.formUnion(targets[key]?[.cascade]?.map(\.key) ?? [])
      }
      next.formUnion(try referrers(of: referred))
      next.subtract(gone)
      gone.formUnion(next)
      round = next.sorted { ExactKey($0.description) < ExactKey($1.description) }
      referred = next
    }
  }

  /// - Throws: `deletionDenied` if a field with that rule leads to an object that stays.
  func checkDenials() throws(Graph.StoreError) {
    for key in keys {
      for target in targets[key]?[.deny] ?? [] where !gone.contains(target.key) {
        throw Graph.StoreError(
          .deletionDenied,
          "`\(key.typeName).\(target.field)` leads to objects, and its delete rule is `deny`; delete "
            + "them first")
      }
    }
  }

  /// The links to deleted objects that stay, by their objects.
  func linksThatStay() throws(Graph.StoreError) -> [GraphQL.EntityKey: Set<GraphQL.EntityKey>] {
    var links: [GraphQL.EntityKey: Set<GraphQL.EntityKey>] = [:]
    for key in keys {
      for target in targets[key]?[.noAction] ?? [] {
        links[target.key, default: []].insert(key)
      }
    }
    return links
  }

  private mutating func findTargets(of key: GraphQL.EntityKey) throws(Graph.StoreError) {
    let rules = transaction.policies.policy(ofType: key.typeName).deleteRules ?? [:]
    guard rules.contains(where: { $0.value != .nullify }),
      let json = try transaction.entityState(of: key).base?.json
    else { return }
    var member = json.firstChild(of: JSONDocument.rootIndex)
    let end = json.end(of: JSONDocument.rootIndex)
    while member < end {
      let value = json.next(after: member)
      let field = GraphQL.StorageKey.fieldName(json.string(at: member))
      member = json.next(after: value)
      guard let rule = rules[field], rule != .nullify else { continue }
      for link in json.links(in: value) {
        let nodes = link.isOfConnection ? try transaction.nodes(of: link) : [link]
        for node in nodes where try transaction.entityState(of: node).base != nil {
          targets[key, default: [:]][rule, default: []].append(Target(field: field, key: node))
        }
      }
    }
  }

  /// The objects that are deleted with the targets of their links.
  private func referrers(
    of round: Set<GraphQL.EntityKey>
  ) throws(Graph.StoreError) -> Set<GraphQL.EntityKey> {
    let deleting = round.filter {
      transaction.policies.policy(ofType: $0.typeName).referrers == .delete
    }
    var found: Set<GraphQL.EntityKey> = []
    guard !deleting.isEmpty else { return found }
    try transaction.forEachRecord { key, visible throws(Graph.StoreError) in
      // A root is never deleted with another object.
      guard !key.key.isEmpty, !key.isOfConnection,
        let json = try transaction.base(of: key, visible: visible)
      else { return }
      if json.links(in: JSONDocument.rootIndex).contains(where: deleting.contains) {
        found.insert(key)
      }
    }
    return found
  }
}

extension Graph.Transaction {
  /// The objects to which the stored pages of a connection lead.
  fileprivate func nodes(of link: GraphQL.EntityKey) throws(Graph.StoreError) -> [GraphQL.EntityKey]
  {
    guard let head = try record(link) else { return [] }
    let connection = ConnectionKey(head: link)
    var nodes: [GraphQL.EntityKey] = []
    for pageNumber in ConnectionHead(head, typeName: "").pageNumbers {
      guard let page = try record(connection.page(pageNumber)) else { continue }
      nodes += page.links(in: JSONDocument.rootIndex).filter { !$0.isOfConnection }
    }
    return nodes
  }
}
