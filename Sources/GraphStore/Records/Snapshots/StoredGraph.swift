import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Follows the links of objects that were returned together; each target is read on first use.
///
/// Within one graph every entity is read once, so two paths to it agree.
final class StoredGraph: GraphQL.StoredLinks {
  typealias Loader = @Sendable (GraphQL.EntityKey) -> JSONDocument?

  private let policies: Policies
  private let load: Loader
  private let records = Locked<[GraphQL.EntityKey: JSONDocument]>([:])

  init(policies: Policies, load: @escaping Loader) {
    self.policies = policies
    self.load = load
  }

  func target(of index: Int, in json: JSONDocument) -> JSONDocument? {
    GraphQL.StoredLink.key(at: index, in: json).map(record)
  }

  /// The record of an entity; for a deleted one, its key.
  private func record(_ key: GraphQL.EntityKey) -> JSONDocument {
    if let known = records.withLock({ $0[key] }) { return known }
    let record =
      (key.isOfConnection ? connection(key) : load(key)) ?? policies.placeholder(for: key)
    return records.withLock { records in
      // Another thread may have been faster; its record is the one that was returned.
      if let known = records[key] { return known }
      records[key] = record
      return record
    }
  }

  private func connection(_ key: GraphQL.EntityKey) -> JSONDocument? {
    let key = ConnectionKey(head: key)
    do {
      var reader = try ConnectionReader(key: key, schema: policies.schema) { [load] in load($0) }
      return try reader?.whole()
    } catch {
      // A target that cannot be read counts as deleted.
      return nil
    }
  }
}
