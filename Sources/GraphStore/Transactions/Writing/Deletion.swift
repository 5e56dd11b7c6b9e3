import GraphJSON
import GraphQLRuntime

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
