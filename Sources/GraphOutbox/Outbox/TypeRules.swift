import GraphStore

/// The rules for types: the configuration's or, if it has none, those of the schema table, which
/// come from `graphql-generator.json`.
struct TypeRules: Sendable {
  let store: Graph.Store
  let supportedOperations: [String: Set<Graph.Outbox.SupportedOperation>]
  let conflicts: [String: Graph.ConflictRule]

  init(store: Graph.Store, _ configuration: Graph.Outbox.Configuration) {
    self.store = store
    supportedOperations = configuration.supportedOperations
    conflicts = configuration.conflicts
  }

  /// Whether objects of a type may be written with `queueSave`.
  func allowsSaves(ofType name: String) -> Bool {
    if let operations = supportedOperations[name] { return operations.contains(.save) }
    let names = store.storageAttributes(ofType: name)["operations"]?.split(separator: ",") ?? []
    return names.contains { $0.lowercased() == "save" }
  }

  /// The rule for conflicts of a type, with its version field; nil if there is neither.
  func conflictRule(ofType name: String) -> Graph.ConflictRule? {
    let version = store.storageAttributes(ofType: name)["version"]
    guard
      var rule = conflicts[name] ?? version.map({ _ in Graph.ConflictRule(policy: .serverWins) })
    else { return nil }
    rule.versionField = rule.versionField ?? version
    rule.versionArgument = rule.versionArgument ?? rule.versionField
    return rule
  }
}
